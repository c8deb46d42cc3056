import { isDigitCode, isWordAt } from './word-character';

/**
 * The first offset at or after `from` where `value` stands in `text` at token boundaries: no word character directly
 * before or after it where its own end is a word character. -1 where it does not, and for an empty value.
 */
export function findAtTokenBoundary(text: string, value: string, from = 0): number {
  if (value === '') return -1;
  const startsAsWord = isWordAt(value, 0);
  const endsAsWord = isWordAt(value, value.length - 1);
  for (let offset = text.indexOf(value, from); offset !== -1; offset = text.indexOf(value, offset + 1)) {
    const isGluedBefore = startsAsWord && offset > 0 && isWordAt(text, offset - 1);
    const isGluedAfter = endsAsWord && isWordAt(text, offset + value.length);
    if (!isGluedBefore && !isGluedAfter) return offset;
  }
  return -1;
}

/** Whether `value` stands in `text` at token boundaries. */
export function isTokenBoundaryMatch(text: string, value: string): boolean {
  return findAtTokenBoundary(text, value) !== -1;
}

/** What ties two words into one token: a piece of `src/a.ts`, `W-12` or `1.5` is another value than the whole. */
const JOINERS = new Set(['-', '/', '\\', '.', '@']);

/**
 * The first offset where `value` stands in `text` as a whole token: at token boundaries, and not as a piece of a
 * longer path, number or id. -1 where it does not.
 */
export function findWholeToken(text: string, value: string): number {
  for (let at = findAtTokenBoundary(text, value); at !== -1; at = findAtTokenBoundary(text, value, at + 1)) {
    if (isWholeTokenAt(text, at, at + value.length)) return at;
  }
  return -1;
}

/** Whether what stands between two offsets, at token boundaries, is no piece of a longer path, number or id. */
export function isWholeTokenAt(text: string, start: number, end: number): boolean {
  return !isJoined(text, start - 1, start - 2) && !isJoined(text, end, end + 1);
}

function isJoined(text: string, joiner: number, beyond: number): boolean {
  const character = text.charAt(joiner);
  if (JOINERS.has(character)) return isWordAt(text, beyond);
  const inside = 2 * joiner - beyond;
  return character === ',' && isDigitCode(text.charCodeAt(beyond)) && isDigitCode(text.charCodeAt(inside));
}
