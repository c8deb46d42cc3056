import { actionWords, pastStem, type ActionWords } from './action-words';
import { clausesOf, isEnglish, isIntended, type Clause } from './clauses';
import type { DriftEffect } from './drift-finding';
import type { StateFinding } from './state-finding';
import { contentStems, sharedStems, stemOf } from './stems';

type Ending = 'done' | 'failed' | 'open';

/** Effects of one action; a summary may speak of all of them at once. */
interface EffectGroup {
  readonly effects: readonly DriftEffect[];
  readonly endings: ReadonlySet<Ending>;
  readonly words: ActionWords;
  /** Targets that no other action has: naming one speaks of this action. */
  readonly ownTargets: readonly string[];
}

const DONE_STATUS = /^(?:done|succeeded|success|completed?|applied|ok|finished)\b/i;
const FAILED_STATUS = /^(?:failed|failure|declined|rejected|error|aborted|cancelled|canceled|denied)\b/i;
/** Ways to say that something worked without its verb. */
const WORKED =
  /\b(?:(?:went|gone|goes|came|come) through|succeed(?:s|ed)?|success(?:ful|fully)?|complet(?:e|ed|es)|finish(?:ed|es)?|(?:is|are|was|were|been|all) done|done|cleanly|worked|works|accepted|in place|is live|are live|landed|took effect|carried out|passed|no errors?|settled|confirmed|good)\b/i;
const MAX_CLAUSES = 400;

/** Effects whose ending the summary tells otherwise, and those that it leaves out. */
export function findEffectDrift(summary: string, effects: readonly DriftEffect[]): readonly StateFinding[] {
  if (effects.length === 0 || !isEnglish(summary)) return [];
  const clauses = clausesOf(summary).slice(0, MAX_CLAUSES);
  return groupsOf(effects).flatMap((group): readonly StateFinding[] => {
    if (group.endings.size !== 1) return [];
    if (group.endings.has('done')) return driftOfDone(group, clauses, summary);
    return driftOfUndone(group, clauses, group.endings.has('failed') ? 'failed' : 'open');
  });
}

function groupsOf(effects: readonly DriftEffect[]): readonly EffectGroup[] {
  const groups = new Map<string, DriftEffect[]>();
  for (const effect of effects) groups.set(effect.action, [...(groups.get(effect.action) ?? []), effect]);
  const owners = new Map<string, Set<string>>();
  for (const { action, target } of effects) owners.set(target, (owners.get(target) ?? new Set<string>()).add(action));
  return [...groups.values()].map((own) => ({
    effects: own,
    ownTargets: own.map(({ target }) => target).filter((target) => owners.get(target)?.size === 1),
    endings: new Set(own.map(({ status }) => endingOf(status))),
    words: actionWords(own[0]?.action ?? ''),
  }));
}

function endingOf(status: string): Ending {
  if (DONE_STATUS.test(status)) return 'done';
  return FAILED_STATUS.test(status) ? 'failed' : 'open';
}

/** A failed or open effect that a clause tells as done. */
function driftOfUndone(group: EffectGroup, clauses: readonly Clause[], ending: Ending): readonly StateFinding[] {
  for (const [place, clause] of clauses.entries()) {
    if (clause.isFailed || clause.isOpen) continue;
    const told = successIn(clause, group, clause.isContinued ? clauses[place - 1] : undefined);
    if (told === undefined) continue;
    return [changed(group, told.start, told.end, `told as done, but it ${ending === 'failed' ? 'failed' : 'is open'}`)];
  }
  return [];
}

/** A done effect that is told as failed or as still to be done, or not at all. */
function driftOfDone(group: EffectGroup, clauses: readonly Clause[], summary: string): readonly StateFinding[] {
  if (group.words.isGeneric) return driftOfRun(group, clauses);
  const related = clauses.filter((clause) => isAbout(clause, group));
  if (related.some((clause) => !clause.isFailed && !clause.isOpen && isTold(clause, group))) return [];
  const failed = related.find((clause) => clause.isFailed && hasVerb(clause, group));
  if (failed !== undefined) {
    const isMended = clauses.some(
      ({ start, text, isFailed }) => start > failed.start && !isFailed && WORKED.test(text),
    );
    return isMended ? [] : [changed(group, failed.start, failed.end, 'told as failed, but it is done')];
  }
  const open = related.find((clause) => clause.isOpen && hasVerb(clause, group));
  const undone = open ?? clauses.find((clause, place) => isToDo(clause, clauses[place - 1], group));
  if (undone !== undefined) return [changed(group, undone.start, undone.end, 'told as open, but it is done')];
  if (related.some((clause) => successIn(clause, group) !== undefined)) return [];
  const isIntentOnly = related.some(({ text }) =>
    wordsIn(text).some(({ word }) => group.words.own.has(stemOf(word)) && group.words.verbs.has(stemOf(word))),
  );
  if (!isIntentOnly && namesTarget(summary, group)) return [];
  const isNounTold = wordsIn(summary).some(({ word }) => group.words.nouns.has(stemOf(word)));
  return [omitted(group, isNounTold && !isIntentOnly)];
}

const TO_DO = /\b(?:still|yet|remains?|left|outstanding|needs?)\b[^.;]{0,24}\bto be\b/i;

/** Whether a clause says that the action has yet to happen, and its object stands in it or in the one before. */
function isToDo(clause: Clause, earlier: Clause | undefined, group: EffectGroup): boolean {
  if (!TO_DO.test(clause.text) || !tellsAction(clause, group)) return false;
  if (group.words.nouns.size === 0) return true;
  const near = contentStems(`${clause.isContinued ? (earlier?.text ?? '') : ''} ${clause.text}`);
  return sharedStems([...group.words.nouns], near) > 0;
}

const RAN =
  /\b(?:ran|runs|executed|executes|print(?:s|ed)|return(?:s|ed)|show(?:s|ed)|came back|output|gave|gives|produced|listed|added|created|wrote|rewrote|used)\b/i;
const NOT_RUN =
  /\b(?:(?:not|never|n't)(?: \w+){0,2} (?:run|executed|tested|started|called|tried)|(?:still|yet) (?:has |have )?to (?:be )?(?:run|executed|tested|started))\b/i;

/** A command that ran, told as not run at all. */
function driftOfRun(group: EffectGroup, clauses: readonly Clause[]): readonly StateFinding[] {
  if (
    clauses.some(
      ({ text }) => RAN.test(text) && !NOT_RUN.test(text) && !isIntended(text.slice(0, RAN.exec(text)?.index)),
    )
  ) {
    const told = clauses.find(
      ({ text }) => NOT_RUN.test(text) && /^[\s*-]*(?:it|this|the (?:script|file|command|code|program))\b/i.test(text),
    );
    return told === undefined ? [] : [changed(group, told.start, told.end, 'told as not run, but it is done')];
  }
  const open = clauses.find(({ text }) => NOT_RUN.test(text));
  return open === undefined ? [] : [changed(group, open.start, open.end, 'told as not run, but it is done')];
}

/** Whether a clause says that the action happened, or gives what came of it beside its target. */
function isTold(clause: Clause, group: EffectGroup): boolean {
  if (hasPlainVerb(clause, group)) return true;
  if (successIn(clause, group) !== undefined) return true;
  return namesTarget(clause.text, group) && /(?<![\p{L}\p{N}_-])[$€£]?\d[\d.,]*(?![\p{L}\p{N}_-])/u.test(clause.text);
}

/** Whether the clause has the action's verb or name without a wish or plan before it. */
function hasPlainVerb(clause: Clause, group: EffectGroup): boolean {
  const action = group.effects[0]?.action ?? '';
  const named = action.length > 4 ? clause.text.indexOf(action) : -1;
  if (named !== -1 && !isIntended(clause.text.slice(0, named))) return true;
  return wordsIn(clause.text).some(
    ({ word, start }) => group.words.verbs.has(stemOf(word)) && !isIntended(clause.text.slice(0, start)),
  );
}

function isAbout(clause: Clause, group: EffectGroup): boolean {
  return tellsAction(clause, group) || namesTarget(clause.text, group);
}

function namesTarget(text: string, { ownTargets }: EffectGroup): boolean {
  return ownTargets.some((target) => {
    const name = target.split(/[/\\]/).filter(Boolean).at(-1) ?? target;
    return name.length > 2 && text.includes(name);
  });
}

function tellsAction(clause: Clause, { words, effects }: EffectGroup): boolean {
  const action = effects[0]?.action ?? '';
  if (action.length > 4 && clause.text.includes(action)) return true;
  return wordsIn(clause.text).some(({ word }) => words.verbs.has(stemOf(word)));
}

const NOMINAL = /(?:tions?|ments?|ings?|als?)$/i;

/** Whether the clause speaks of the action itself, and not only of the kind of thing that it makes. */
function hasVerb(clause: Clause, group: EffectGroup): boolean {
  if (!hasPlainVerb(clause, group)) return false;
  const isAction = wordsIn(clause.text).some(({ word }) => group.words.verbs.has(stemOf(word)) && !NOMINAL.test(word));
  return isAction || namesTarget(clause.text, group);
}

interface PlacedWord {
  readonly word: string;
  readonly start: number;
}

function wordsIn(text: string): readonly PlacedWord[] {
  return [...text.matchAll(/[\p{L}]+/gu)].map((match) => ({ word: match[0], start: match.index }));
}

/** Where a clause says that the action worked: by its verb in the past, or by its noun and a word of success. */
function successIn(
  clause: Clause,
  group: EffectGroup,
  earlier?: Clause,
): { readonly start: number; readonly end: number } | undefined {
  const words = wordsIn(clause.text);
  const past = words.find(
    ({ word, start }) =>
      group.words.verbs.has(pastStem(word) ?? '') && !group.words.isAttempt && !isIntended(clause.text.slice(0, start)),
  );
  if (past !== undefined && hasObject(words, past, group, clause)) {
    return { start: clause.start + past.start, end: clause.start + past.start + past.word.length };
  }
  const worked = WORKED.exec(clause.text);
  if (worked === null || isIntended(clause.text.slice(0, worked.index))) return undefined;
  const isNamed =
    group.words.isGeneric || [clause, ...(earlier === undefined ? [] : [earlier])].some((one) => isAbout(one, group));
  return isNamed
    ? { start: clause.start + worked.index, end: clause.start + worked.index + worked[0].length }
    : undefined;
}

/** Whether a past verb speaks of this action's object, where the action has one. */
function hasObject(words: readonly PlacedWord[], past: PlacedWord, group: EffectGroup, clause: Clause): boolean {
  const { nouns } = group.words;
  if (nouns.size === 0 || namesTarget(clause.text, group)) return true;
  return words.some(({ word }) => word !== past.word && nouns.has(stemOf(word)));
}

function changed(group: EffectGroup, start: number, end: number, how: string): StateFinding {
  const { action, target, status } = group.effects[0] ?? { action: '', target: '', status: '' };
  return {
    kind: 'effect_status_changed',
    expected: status,
    start,
    end,
    message: `${action} ${target} is ${how}`,
  };
}

function omitted(group: EffectGroup, isDoubtful: boolean): StateFinding {
  const { action, target, status } = group.effects[0] ?? { action: '', target: '', status: '' };
  return {
    kind: 'effect_omitted',
    expected: status,
    start: -1,
    end: -1,
    message: `${action} ${target} (${status}) is not told`,
    isDoubtful,
  };
}
