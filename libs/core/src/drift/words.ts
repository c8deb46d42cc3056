/** A stretch of letters and digits of a text, at UTF-16 offsets. */
export interface Word {
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** A sentence or a line ended before it. */
  readonly opensSentence: boolean;
}

const SENTENCE_END = /[.!?]["')\]*_]*\s|\n|[。！？；]/u;
/** Farther apart, two words are no neighbours anyhow. */
const LONGEST_GAP = 64;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text in order; underscores, hyphens and other signs part them. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let before = 0;
  for (const match of text.matchAll(WORD)) {
    const end = match.index + match[0].length;
    const opensSentence = SENTENCE_END.test(text.slice(before, Math.min(match.index, before + LONGEST_GAP)));
    words.push({ lower: match[0].toLowerCase(), start: match.index, end, opensSentence });
    before = end;
  }
  return words;
}

/** Index of the first word that starts at or after an offset; the number of words where none does. */
export function wordIndexAt(words: readonly Word[], offset: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
