import { pastStem, verbStem } from './action-words';
import { isFailure, isIntended, type Clause } from './clauses';
import type { EffectGroup } from './effect-group';

/** What a clause says of an effect, and where; a `mention` says nothing of its ending. */
export interface Telling {
  readonly ending: 'done' | 'failed' | 'open' | 'mention';
  readonly start: number;
  readonly end: number;
  /** The clause has the action's verb, and not only a name of what it was for. */
  readonly isByVerb: boolean;
}

/** Ways to say that something worked without its verb. */
export const WORKED =
  /\b(?:(?:went|gone|goes|came|come) through|succeed(?:s|ed)?|success(?:ful|fully)?|complet(?:e|ed|es)|finish(?:ed|es)?|(?:is|are|was|were|been|all) done|done|cleanly|worked|works|accepted|approved|in place|is live|are live|landed|took effect|carried out|pass(?:ed|es|ing)|all green|is green|are green|no errors?|no failures?|settled|confirmed|good|healthy)\b/i;
/** Not at its end; a bare `not` says that of something else as easily. */
const PENDING =
  /\b(?:pending|await(?:s|ing)|waiting|not yet|unconfirmed|in progress|under way|still (?:\w+ing|to|open|in progress|under|queued|awaits?|needs?|has|have|outstanding|not)|yet to|outstanding|unfinished|incomplete|queued|on hold|has yet|have yet)\b/i;
const CANNOT =
  /\b(?:fail(?:s|ed)|unable|could ?n[o']t|couldn't|cannot|can't|refused|impossible|did ?n[o']t manage)(?: (?:to|be|been|have|even|fully))*\s*$/i;
const NOT_DONE =
  /(?:\b(?:not|never|yet to|still to|remains? to|is to|are to|to be|awaits|awaiting|pending|before|without)|n['’]t)(?: (?:yet|ever|be|been|being|have|fully|actually|so far))*\s*$/i;
/** Said of the noun of an action: `a revert has not been made yet`. */
const NOT_MADE =
  /^\S*(?: \w+){0,3} (?:has|have|was|were|is|are|did)(?:n['’]t| not)(?: yet)?(?: been)?(?: yet)? (?:made|done|carried out|performed|started|executed|happen(?:ed)?|applied|created|sent|written|attempted)\b/i;
const STILL_TO_DO = /\b(?:still|yet|remains?|left|outstanding|needs?|has|have|awaits?|about)\b[^.;,]{0,24}\bto be\b/i;

/** Characters before a verb that may turn it. */
const REACH = 240;

/** What a clause says of an effect; undefined where it speaks of something else. */
export function tellingOf(clause: Clause, group: EffectGroup): Telling | undefined {
  const { text } = clause;
  const { nouns, verbs: known } = group.words;
  const verbs = wordsIn(text).filter(({ word }) => known.has(verbStem(word)));
  const named = nameIn(text, group);
  const hinted = named ?? firstOf(group.callValues, text);
  if (verbs.length === 0 && hinted === undefined) return undefined;
  const whole = { start: clause.start, end: clause.end };
  const at = ({ word, start }: PlacedWord): { readonly start: number; readonly end: number } => ({
    start: clause.start + start,
    end: clause.start + start + word.length,
  });
  for (const verb of verbs) {
    const before = text.slice(Math.max(0, verb.start - REACH), verb.start).replace(/\([^)]*\)/g, '');
    if (CANNOT.test(before)) return { ending: 'failed', ...whole, isByVerb: true };
    if (NOT_DONE.test(before)) {
      const isOpen = !isIntended(before) || STILL_TO_DO.test(before);
      return { ending: isOpen ? 'open' : 'mention', ...whole, isByVerb: true };
    }
    const isPast = group.words.verbs.has(pastStem(verb.word) ?? '');
    const isTold = isPast && !group.words.isAttempt && !isIntended(before);
    if (isTold && !clause.isFailed) return { ending: 'done', ...at(verb), isByVerb: true };
  }
  const subject = verbs.find(({ word }) => !nouns.has(verbStem(word)));
  const first = Math.min(subject?.start ?? Infinity, hinted ?? Infinity);
  const isByVerb = verbs.length > 0;
  if (first !== Infinity && !isIntended(text.slice(0, first))) {
    const rest = text.slice(first);
    if (NOT_MADE.test(rest)) return { ending: 'open', ...whole, isByVerb };
    if (clause.isFailed && isFailure(rest)) return { ending: 'failed', ...whole, isByVerb };
    if (PENDING.test(rest)) return { ending: 'open', ...whole, isByVerb };
  }
  if (verbs.length === 0 && named === undefined) return undefined;
  const worked = WORKED.exec(text);
  if (worked !== null && !clause.isOpen && !isIntended(text.slice(0, worked.index))) {
    return {
      ending: 'done',
      start: clause.start + worked.index,
      end: clause.start + worked.index + worked[0].length,
      isByVerb,
    };
  }
  return { ending: 'mention', ...whole, isByVerb };
}

/** Whether a text says that something is not at its end. */
export function isPending(text: string): boolean {
  return PENDING.test(text);
}

/** Offset of the first name of what the action was for; undefined where there is none. */
export function nameIn(text: string, { ownTargets, ownValues }: EffectGroup): number | undefined {
  const names = ownTargets.map((target) => target.split(/[/\\]/).filter(Boolean).at(-1) ?? target);
  return firstOf([...names.filter((name) => name.length > 2), ...ownValues], text);
}

function firstOf(names: Iterable<string>, text: string): number | undefined {
  let first: number | undefined;
  for (const name of names) {
    const offset = text.indexOf(name);
    if (offset !== -1 && (first === undefined || offset < first)) first = offset;
  }
  return first;
}

/** A word of a clause and where it starts in it. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
}

export function wordsIn(text: string): readonly PlacedWord[] {
  return [...text.matchAll(/[\p{L}]+/gu)].map((match) => ({ word: match[0], start: match.index }));
}
