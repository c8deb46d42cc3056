import type { Element } from '../window/element';
import type { Answer } from './approvals';
import { staysHere, type Decision } from './decision';
import { statesEnglish } from './language';
import type { WindowContext } from './window-context';

/** A person's words: authoritative, in place. */
export function humanText(
  element: Element,
  context: WindowContext,
  answers: ReadonlyMap<string, Answer>,
): Decision | undefined {
  if (element.kind !== 'text' || element.role !== 'user') return undefined;
  const origin = context.originOf(element);
  if (origin.kind !== 'human') return undefined;
  const answer = answers.get(element.id);
  if (answer === undefined) return staysHere('human_text', origin.evidence);
  return staysHere('proposal_answered', `${origin.evidence}; ${answer.label}`);
}

/** Standing rules that a harness loads, and summaries that nobody can verify: kept as they are. */
export function loadedText(element: Element, context: WindowContext): Decision | undefined {
  if (element.kind !== 'text' || element.role !== 'user') return undefined;
  const origin = context.originOf(element);
  if (origin.kind === 'project_memory') return staysHere('project_memory', origin.evidence);
  if (origin.kind === 'foreign_summary')
    return staysHere('foreign_summary', `a summary by another compactor, which cannot be verified: ${origin.evidence}`);
  return undefined;
}

/** Text in the user's role that a machine wrote: data, like a result. */
export function machineText(element: Element, context: WindowContext): Decision | undefined {
  if (element.kind !== 'text' || (element.role !== 'user' && element.role !== 'tool')) return undefined;
  const { evidence } = context.originOf(element);
  const isUnread = context.isUnread(element);
  return {
    class: 'reclaim',
    view: context.input.recall === 'tool' ? 'recoverable' : 'authoritative',
    rule: isUnread ? 'unread_result' : 'machine_text',
    evidence: isUnread ? `${evidence}; the model has not read it yet` : evidence,
    leavesBehindHandle: true,
    lastResort: isUnread,
  };
}

/**
 * Words of rules. A statement without one stays in the window like any other of a person; with one it is also a record,
 * so that it can be put back when somebody else drops it. Generous: a record too many costs a line in the store.
 */
const RULE_WORDS =
  /\b(?:must|shall|should|never|always|don'?t|do not|doesn'?t|cannot|can'?t|may not|not allowed|forbidden|avoid|only|exactly|at (?:most|least)|no more than|no less than|before you|without|unless|instead of|rather than|from now on|no longer|any ?more|any longer|make sure|ensure|require[ds]?|keep|leave|stick to|use|prefer|limit|budget|deadline|untouched|read-only|ask me|confirm with|rule|constraint|important|nothing|nobody|no one)\b/iu;

/** The same in other languages that are written in Latin letters. */
const RULE_WORDS_ELSEWHERE =
  /(?<![\p{L}])(?:muss|müssen|soll(?:en|te|st)?|darf|dürfen|niemals|nie|nicht|immer|nur|kein(?:e[nrms]?)?|ohne|höchstens|mindestens|statt|bitte|ab (?:jetzt|sofort)|vorher|bevor|il faut|doi(?:t|vent|s)|devez|jamais|toujours|seulement|uniquement|sans|au (?:plus|moins)|interdit|désormais|avant de|ne .{1,60} (?:pas|plus)|debe[ns]?|deberías?|hay que|nunca|jamás|siempre|solo|sólo|únicamente|sin|prohibido|como (?:máximo|mínimo)|antes de|a partir de ahora|no (?:toques?|uses?|borres?|cambies?)|deve|devi|mai|sempre|senza|não|apenas|somente|moet|mag|nooit|altijd|alleen|zonder)(?![\p{L}])/iu;

/** Letters beyond Latin and its accents: rule words of other languages are not known here. */
const OTHER_SCRIPT = /[\u0370-\u1fff\u3040-\uffdc]/u;

/** True when a person's text may state a rule; texts in other languages are taken for one. */
export function statesRule(text: string): boolean {
  if (RULE_WORDS.test(text) || RULE_WORDS_ELSEWHERE.test(text) || OTHER_SCRIPT.test(text)) return true;
  return text.length > 40 && !statesEnglish(text);
}
