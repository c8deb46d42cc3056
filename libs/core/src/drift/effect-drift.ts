import { pastStem } from './action-words';
import { clausesOf, isEnglish, isIntended, type Clause } from './clauses';
import type { DriftEffect, DriftSource } from './drift-finding';
import { changedEffect, omittedEffect } from './effect-findings';
import { endingOf, groupEffects, type EffectGroup, type Ending } from './effect-group';
import { isTold, successIn } from './effect-success';
import { isPending, nameIn, tellingOf, WORKED, wordsIn } from './effect-telling';
import { findForeignEffectDrift } from './foreign-effects';
import { driftOfRun, hasFailure } from './run-drift';
import type { StateFinding } from './state-finding';
import { contentStems, stemOf } from './stems';
import { turnedBack } from './turned-back';

const MAX_CLAUSES = 400;

/** Effects whose ending the summary tells otherwise, and those that it leaves out. */
export function findEffectDrift(
  summary: string,
  effects: readonly DriftEffect[],
  sources: readonly DriftSource[] = [],
): readonly StateFinding[] {
  if (effects.length === 0) return [];
  if (!isEnglish(summary)) return findForeignEffectDrift(summary, effects);
  const clauses = clausesOf(summary).slice(0, MAX_CLAUSES);
  return groupEffects(effects, sources).flatMap((group): readonly StateFinding[] => {
    if (group.endings.size !== 1) return driftOfMixed(group, clauses);
    if (group.endings.has('done')) return driftOfDone(group, clauses, summary, sources);
    return driftOfUndone(group, clauses, group.endings.has('failed') ? 'failed' : 'open');
  });
}

const ALL = /\b(?:all|both|each|every|everything)\b/i;

/** Some of an action's effects worked and some did not, and a clause says of all of them that they did. */
function driftOfMixed(group: EffectGroup, clauses: readonly Clause[]): readonly StateFinding[] {
  const done = new Set(group.effects.filter(({ status }) => endingOf(status) === 'done').map(({ target }) => target));
  const undone = group.effects.find(({ status, target }) => endingOf(status) !== 'done' && !done.has(target));
  if (undone === undefined) return [];
  for (const clause of clauses) {
    if (!ALL.test(clause.text) || clause.isFailed || clause.isOpen) continue;
    const told = tellingOf(clause, group)?.ending === 'done' || (namesKind(clause, group) && WORKED.test(clause.text));
    if (!told) continue;
    return [changedEffect({ ...group, effects: [undone] }, clause.start, clause.end, 'told as done with the others')];
  }
  return leftOut(group, clauses);
}

function namesKind({ text }: Clause, { words }: EffectGroup): boolean {
  return wordsIn(text).some(({ word }) => words.nouns.has(stemOf(word)));
}

/** The one effect of several whose target is not named, where nothing is told as done. */
function leftOut(group: EffectGroup, clauses: readonly Clause[]): readonly StateFinding[] {
  const isNamed = (target: string): boolean => clauses.some(({ text }) => text.includes(target));
  const unnamed = group.effects.filter(({ target }) => !isNamed(target));
  const [only] = unnamed;
  if (only === undefined || unnamed.length > 1 || endingOf(only.status) !== 'done') return [];
  if (clauses.some((clause) => tellingOf(clause, group)?.ending === 'done')) return [];
  return [omittedEffect({ ...group, effects: [only] }, true)];
}

/** A failed or open effect that a clause tells as done. */
function driftOfUndone(group: EffectGroup, clauses: readonly Clause[], ending: Ending): readonly StateFinding[] {
  for (const [place, clause] of clauses.entries()) {
    if (clause.isFailed || clause.isOpen) continue;
    const told = successIn(clause, group, clause.isContinued ? clauses[place - 1] : undefined);
    if (told === undefined) continue;
    return [
      changedEffect(group, told.start, told.end, `told as done, but it ${ending === 'failed' ? 'failed' : 'is open'}`),
    ];
  }
  return [];
}

/** A done effect that is told as failed, as still to be done or as undone, or not at all. */
function driftOfDone(
  group: EffectGroup,
  clauses: readonly Clause[],
  summary: string,
  sources: readonly DriftSource[],
): readonly StateFinding[] {
  if (group.words.isGeneric) return driftOfRun(group, clauses, sources);
  const turned = turnedBack(group, clauses, sources);
  if (turned !== undefined) return [turned];
  const tellings = clauses.flatMap((clause) => tellingOf(clause, group) ?? []);
  if (tellings.some(({ ending }) => ending === 'done')) return [];
  if (clauses.some((clause) => !clause.isFailed && !clause.isOpen && isTold(clause, group))) return [];
  const failed = tellings.find(({ ending }) => ending === 'failed');
  if (failed !== undefined) {
    const isMended = clauses.some(
      ({ start, text, isFailed }) => start > failed.start && !isFailed && WORKED.test(text),
    );
    if (isMended || (!failed.isByVerb && hasFailure(sources))) return [];
    return [changedEffect(group, failed.start, failed.end, 'told as failed, but it is done')];
  }
  const open = tellings.find(({ ending }) => ending === 'open');
  if (open !== undefined) return [changedEffect(group, open.start, open.end, 'told as open, but it is done')];
  const waiting = clauses.find(({ text, isIntent }) => !isIntent && isPending(text) && hasCallWord(text, group));
  if (waiting !== undefined && !hasPending(sources)) {
    return [{ ...changedEffect(group, waiting.start, waiting.end, 'told as open, but it is done'), isDoubtful: true }];
  }
  const isIntentOnly = onlyIntended(clauses, group);
  if (!isIntentOnly && (tellings.length > 0 || nameIn(summary, group) !== undefined)) return [];
  const isNounTold = wordsIn(summary).some(({ word }) => group.words.nouns.has(stemOf(word)));
  return [omittedEffect(group, !isIntentOnly && (isNounTold || isHinted(group, clauses)))];
}

function hasCallWord(text: string, { callStems }: EffectGroup): boolean {
  return contentStems(text).some((stem) => stem.length > 3 && callStems.has(stem));
}

function hasPending(sources: readonly DriftSource[]): boolean {
  return sources.some(({ text }) => isPending(text));
}

/** Requested of a system, and not of the agent. */
const REQUESTED = /\b(?:been|was|were|is|are) (?:requested|proposed|offered|suggested)\b/gi;

/** Whether the action's own verb stands in wishes and plans only. */
function onlyIntended(clauses: readonly Clause[], group: EffectGroup): boolean {
  const ofAction = clauses.flatMap((clause) =>
    wordsIn(clause.text)
      .filter(({ word }) => group.words.own.has(stemOf(word)) && group.words.verbs.has(stemOf(word)))
      .map(({ word }) => ({ clause, word })),
  );
  const isWish = ofAction.every(
    ({ clause, word }) => isIntended(clause.text.replace(REQUESTED, '')) && pastStem(word) === undefined,
  );
  return ofAction.length > 0 && isWish;
}

/** Words of a clause that its calls have as well make it likely that the effect is told in other words. */
const HINT = 2;
const COLLECTIVE =
  /\b(?:all|both|each|every|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|everything)\b[^.;]{0,40}\b(?:done|completed?|finished|made|applied|succeeded|in place|through|confirmed|booked|scheduled|accepted|approved|saved|settled)\b/i;
const TOLD_PASSIVE = /\b(?:was|were|is|are|been|got) (?:\w+ ){0,2}\w+(?:ed|en|nt|de|id|ut|wn)\b/i;

function isHinted({ callStems, effects, words }: EffectGroup, clauses: readonly Clause[]): boolean {
  // An action whose verb nobody knows is told in words of its own.
  if (words.verbs.size === words.nouns.size) return true;
  return clauses.some(({ text, isIntent, isFailed }) => {
    if (isIntent || isFailed) return false;
    if (COLLECTIVE.test(text) || effects.some(({ target }) => text.includes(target))) return true;
    const shared = contentStems(text).filter(
      (stem) => (stem.length > 3 || /\d/.test(stem)) && callStems.has(stem),
    ).length;
    return shared >= HINT || (shared > 0 && TOLD_PASSIVE.test(text));
  });
}
