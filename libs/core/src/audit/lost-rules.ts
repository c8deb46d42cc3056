import type { Classification } from '../classify/classified';
import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';
import type { SaidIn } from './said-in';

/** A sentence of a person that says how things must be done. */
export interface StatedRule {
  readonly text: string;
  /** Undefined where it is too weak a demand to say that it is lost; that it was weakened may be said. */
  readonly severity: 'error' | 'warning' | undefined;
  readonly element: Element;
}

/** What makes a sentence a rule that outlives its turn: a later step that does not know it breaks it. */
const STRICT =
  /\b(?:never|must(?: not|n't)|under no circumstances|not allowed|forbidden|from now on|in (?:the )?future|no more than|only (?:use|touch|change|edit|run|write|deploy|ever)|keep .{1,40} (?:untouched|unchanged)|ask me (?:first|before))\b|(?:^|[.;:!]\s*|\b(?:and|but|please|so)[,]? )(?:do not|don'?t)\b/iu;
/** May be part of the task at hand only. */
const LOOSE =
  /\b(?:must|always|can only|at most|at least|unless|before you|without (?:asking|my|changing|touching))\b|^(?:please )?(?:make sure|ensure)\b/iu;
/** Tells how things are, or that they are wrong: a report, not a demand. */
const REPORT =
  /\b(?:i think|i guess|it seems|seems to|looks like|currently|doesn'?t|isn'?t|aren'?t|why|still|used to|i(?:'ve| have)? never|should never (?:have )?happen|i must have|there must be|fails?|error)\b/iu;
/** Bounds a choice: by when, for how much, between what. */
const BOUND =
  /\b(?:only|need|want|prefer|rather)\b|\b(?:under|below|above|over|within|between|before|after|until|by)\s+[$€£]?\d/iu;
const MIN_WORDS = 3;
const MAX_RULE_CHARS = 400;
/** Longer texts are pastes and documents; what looks like a rule in them is their own. */
const MAX_TEXT_CHARS = 6_000;
/** With less of its words the window after does not state the rule in any wording. */
const STATED_SHARE = 0.4;

/** Rules that people stated in elements that left, a sentence each, each once. */
export function rulesThatLeft(classification: Classification, left: readonly Element[]): readonly StatedRule[] {
  const gone = new Set(left.map(({ id }) => id));
  const seen = new Set<string>();
  return classification.elements.flatMap(({ element, rule }) => {
    const isPersons =
      rule === 'human_text' || rule === 'project_memory' || (rule === 'proposal_answered' && element.role === 'user');
    if (!isPersons || !gone.has(element.id) || element.text.length > MAX_TEXT_CHARS) return [];
    return sentencesOf(element.text).flatMap((text) => {
      const severity = severityOf(text);
      if ((severity === undefined && !isBound(text)) || seen.has(text)) return [];
      seen.add(text);
      return [{ text, severity, element }];
    });
  });
}

/** Rules of which the window after has too few words to state them in any wording. */
export function lostRules(rules: readonly StatedRule[], said: SaidIn): readonly AuditFinding[] {
  return rules.flatMap(({ text, severity, element }): readonly AuditFinding[] => {
    if (severity === undefined || said.quotes(text) || said.shareOfWords(text) >= STATED_SHARE) return [];
    return [
      {
        kind: 'constraint_lost',
        severity,
        expected: text,
        observed: null,
        source: { element_id: element.id, path: element.path },
        place: null,
        message: 'A rule that a person stated is not there any more',
        advice: 'Carry what people demand word for word, outside of the part that is summarized.',
        count: 1,
      },
    ];
  });
}

function isBound(sentence: string): boolean {
  return sentence.length <= MAX_RULE_CHARS && !sentence.endsWith('?') && !REPORT.test(sentence) && BOUND.test(sentence);
}

/** Undefined for a sentence that states no rule. */
function severityOf(sentence: string): StatedRule['severity'] | undefined {
  if (sentence.length > MAX_RULE_CHARS || sentence.endsWith('?') || REPORT.test(sentence)) return undefined;
  if (sentence.split(/\s+/u).length < MIN_WORDS) return undefined;
  if (STRICT.test(sentence)) return 'error';
  return LOOSE.test(sentence) ? 'warning' : undefined;
}

function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/gu, '\n')
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}"'(-])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
