import { pastStem } from './action-words';
import { isIntended, type Clause } from './clauses';
import type { EffectGroup } from './effect-group';
import { WORKED, wordsIn, type PlacedWord } from './effect-telling';
import { stemOf } from './stems';

/** Whether a clause says that the action happened, or gives what came of it beside its target. */
export function isTold(clause: Clause, group: EffectGroup): boolean {
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

/** Where a clause says that the action worked: by its verb in the past, or by its noun and a word of success. */
export function successIn(
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
