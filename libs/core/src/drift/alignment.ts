import type { CriticalField } from '../seal';
import type { SourceIndex } from './source-index';
import { wordIndexAt, type Word } from './words';

/** A field of the sources that stands between the same words as a literal of the summary. */
export interface AlignedField {
  readonly field: CriticalField;
  /** Words that both have directly before and after it; short ones count half. */
  readonly before: number;
  readonly after: number;
}

const LONGEST_RUN = 6;
const MAX_PLACES = 400;
/** What it adds to a run that the rest of a line is the same as well. */
const WHOLE_LINE = 0.5;
/** Farther apart, a word and the value behind it are no neighbours. */
const MAX_GAP = 6;
/** A value may stand farther before its words: line numbers before indented lines do. */
const MAX_GAP_BEFORE = 24;

/** Fields of the sources that stand in the same words as the summary's literal does, best first. */
export function alignedFields(
  index: SourceIndex,
  summaryWords: readonly Word[],
  literal: { readonly start: number; readonly end: number },
): readonly AlignedField[] {
  const first = wordIndexAt(summaryWords, literal.start);
  const last = wordIndexAt(summaryWords, literal.end);
  const found = new Map<number, AlignedField>();
  const add = (field: CriticalField | undefined, before: number, after: number): void => {
    if (field === undefined) return;
    const known = found.get(field.start);
    found.set(field.start, {
      field,
      before: Math.max(before, known?.before ?? 0),
      after: Math.max(after, known?.after ?? 0),
    });
  };
  const follows = summaryWords[first]?.opensSentence !== true;
  for (const place of follows ? placesOf(index, summaryWords[first - 1]) : []) {
    if (index.words[place + 1]?.opensSentence === true) continue;
    const run = runLength(index.words, place, summaryWords, first - 1, -1);
    if (run > 0) add(index.fieldAfter(index.words[place]?.end ?? 0, MAX_GAP), run, 0);
  }
  const goesOn = summaryWords[last]?.opensSentence !== true;
  for (const place of goesOn ? placesOf(index, summaryWords[last]) : []) {
    if (index.words[place]?.opensSentence === true) continue;
    const run = runLength(index.words, place, summaryWords, last, 1);
    if (run > 0) add(index.fieldBefore(index.words[place]?.start ?? 0, MAX_GAP_BEFORE), 0, run);
  }
  return [...found.values()].sort((left, right) => right.before + right.after - left.before - left.after);
}

function placesOf(index: SourceIndex, word: Word | undefined): readonly number[] {
  return word === undefined ? [] : index.wordAt(word.lower).slice(-MAX_PLACES);
}

function runLength(
  source: readonly Word[],
  place: number,
  summary: readonly Word[],
  own: number,
  step: 1 | -1,
): number {
  let run = 0;
  for (let offset = 0; offset < LONGEST_RUN; offset++) {
    const word = source[place + offset * step];
    const other = summary[own + offset * step];
    if (other === undefined && step === 1 && offset > 0 && word?.opensSentence !== false) return run + WHOLE_LINE;
    if (word === undefined || other === undefined) break;
    const isEnd = step === 1 && offset > 0 && word.opensSentence && other.opensSentence;
    if (word.lower !== other.lower && !isEnd) break;
    if (step === 1 && offset > 0 && (word.opensSentence || other.opensSentence)) {
      // Both went on to the end of their line.
      if (word.opensSentence && other.opensSentence) run += WHOLE_LINE;
      break;
    }
    run += word.lower.length > 3 ? 1 : 0.5;
    if (step === -1 && (word.opensSentence || other.opensSentence)) break;
  }
  return run;
}
