import { findCriticalFields, findWholeToken } from '../seal';

/** More values of one incident are a rewritten text, not a corrupted value. */
const MOST_VALUES = 20;
/** Shorter ones stand everywhere by chance. */
const LEAST_CHARACTERS = 4;
const MOST_CHARACTERS = 20_000;

/** Critical fields that a window says and its source does not: what a later step would carry on. */
export function corruptedValues(expected: string | null, observed: string | null): readonly string[] {
  if (observed === null) return [];
  const source = expected ?? '';
  const values = findCriticalFields(observed.slice(0, MOST_CHARACTERS)).map(({ value }) => value);
  return [...new Set(values)]
    .filter((value) => value.length >= LEAST_CHARACTERS && findWholeToken(source, value) === -1)
    .slice(0, MOST_VALUES);
}

/** Which of the values stand in a text, each as a whole token. */
export function valuesIn(text: string, values: readonly string[]): readonly string[] {
  return values.filter((value) => findWholeToken(text, value) !== -1);
}
