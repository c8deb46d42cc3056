import { findCriticalFields, isWholeTokenAt, isWordAt, type CriticalField, type FieldKind } from '../seal';
import type { DriftOrigin, DriftSource } from './drift-finding';
import { joinSources } from './source-text';
import { wordsOf, type Word } from './words';

/** A value of the sources and where it stands first. */
export interface KnownValue {
  readonly kind: FieldKind;
  readonly value: string;
  /** Offsets in the index's text, in order; a value that stands often is listed up to a limit. */
  readonly at: readonly number[];
}

/**
 * How tightly a value has to stand for itself: a `part` may be a piece of a longer path or name, a `whole` one is no
 * piece of a longer number, a `token` is no piece of anything.
 */
export type Tightness = 'part' | 'whole' | 'token';

/** The sources, read once, so that every question about a value is answered in the time that its rarest word takes. */
export interface SourceIndex {
  readonly text: string;
  readonly words: readonly Word[];
  /** Indices into `words` where a lower-cased word stands. */
  readonly wordAt: (lower: string) => readonly number[];
  /** First offset of a value; -1 where it does not stand. */
  readonly find: (value: string, tightness: Tightness) => number;
  readonly values: readonly KnownValue[];
  /** Whether a value is a field of the sources. */
  readonly hasField: (value: string) => boolean;
  readonly byKind: (kind: FieldKind) => readonly KnownValue[];
  /** The field that begins within a few characters after an offset. */
  readonly fieldAfter: (offset: number, gap: number) => CriticalField | undefined;
  /** The field that ends within a few characters before an offset. */
  readonly fieldBefore: (offset: number, gap: number) => CriticalField | undefined;
  readonly originAt: (start: number, end: number) => DriftOrigin | null;
}

/** Characters with letters among them that may stand between a word and its value. */
const NEAR = 6;
const MAX_PLACES = 16;
/** Places that are tried for a value whose rarest word is everywhere. */
const MAX_TRIED = 20_000;
const NONE: readonly number[] = [];

export function indexSources(sources: readonly DriftSource[]): SourceIndex {
  const { text, originAt } = joinSources(sources);
  const words = wordsOf(text);
  const places = new Map<string, number[]>();
  words.forEach(({ lower }, index) => {
    const list = places.get(lower);
    if (list === undefined) places.set(lower, [index]);
    else list.push(index);
  });
  const wordAt = (lower: string): readonly number[] => places.get(lower) ?? NONE;
  const found = new Map<string, number>();
  const fields = findCriticalFields(text);
  const values = knownValues(fields);
  const valueSet = new Set(values.map(({ value }) => value));
  const kinds = new Map<FieldKind, KnownValue[]>();
  for (const value of values) {
    const list = kinds.get(value.kind);
    if (list === undefined) kinds.set(value.kind, [value]);
    else list.push(value);
  }
  return {
    text,
    words,
    wordAt,
    values,
    originAt,
    fieldAfter(offset, gap) {
      const field = fields[firstFrom(fields, offset)];
      return field !== undefined && isNear(text, offset, field.start, gap) ? field : undefined;
    },
    fieldBefore(offset, gap) {
      const field = fields[firstFrom(fields, offset) - 1];
      return field !== undefined && isNear(text, field.end, offset, gap) ? field : undefined;
    },
    hasField: (value) => valueSet.has(value),
    byKind: (kind) => kinds.get(kind) ?? [],
    find(value, tightness) {
      const key = `${tightness}:${value}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const offset = findValue(value, tightness, text, words, wordAt);
      found.set(key, offset);
      return offset;
    },
  };
}

function knownValues(fields: readonly CriticalField[]): readonly KnownValue[] {
  const values = new Map<string, { kind: FieldKind; value: string; at: number[] }>();
  for (const { kind, value, start } of fields) {
    const known = values.get(value);
    if (known === undefined) values.set(value, { kind, value, at: [start] });
    else if (known.at.length < MAX_PLACES) known.at.push(start);
  }
  return [...values.values()];
}

function isNear(text: string, from: number, to: number, gap: number): boolean {
  if (to < from || to - from > gap) return false;
  const between = text.slice(from, to);
  // Beyond a few characters only indentation parts neighbours.
  return !between.includes('\n') && (to - from <= NEAR || !/[\p{L}\p{N}]/u.test(between));
}

function firstFrom(fields: readonly CriticalField[], offset: number): number {
  let low = 0;
  let high = fields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fields[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findValue(
  value: string,
  tightness: Tightness,
  text: string,
  words: readonly Word[],
  wordAt: (lower: string) => readonly number[],
): number {
  const own = wordsOf(value);
  let rarest: Word | undefined;
  let candidates: readonly number[] = NONE;
  for (const word of own) {
    const at = wordAt(word.lower);
    // A word at the end of the value may go on in the source only where the value is no whole token of it.
    if (at.length === 0) return -1;
    if (rarest === undefined || at.length < candidates.length) {
      rarest = word;
      candidates = at;
    }
  }
  if (rarest === undefined) return text.indexOf(value);
  for (const index of candidates.slice(0, MAX_TRIED)) {
    const start = (words[index]?.start ?? 0) - rarest.start;
    if (start < 0 || !text.startsWith(value, start)) continue;
    const end = start + value.length;
    if (isHeldAt(text, start, end, tightness)) return start;
  }
  return -1;
}

function isHeldAt(text: string, start: number, end: number, tightness: Tightness): boolean {
  if (isCut(text, start) || isCut(text, end)) return false;
  if (tightness === 'part') return true;
  if (tightness === 'whole') return isWhole(text, start, end);
  const isGlued =
    (isWordAt(text, start) && isWordAt(text, start - 1)) || (isWordAt(text, end - 1) && isWordAt(text, end));
  return !isGlued && isWholeTokenAt(text, start, end);
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u;

/** Whether an offset stands between two characters of one word. */
function isCut(text: string, offset: number): boolean {
  return LETTER_OR_DIGIT.test(text.charAt(offset - 1)) && LETTER_OR_DIGIT.test(text.charAt(offset));
}

const JOINERS = new Set(['-', '.', ',']);

function isWhole(text: string, start: number, end: number): boolean {
  return !isJoined(text, start - 1, start - 2, start) && !isJoined(text, end, end + 1, end - 1);
}

/** Whether a sign ties a value to more of the same: a piece of `1.5`, `118,000` or `a-1-b` is another value. */
function isJoined(text: string, joiner: number, beyond: number, inside: number): boolean {
  const character = text.charAt(joiner);
  if (!JOINERS.has(character) || !/\d/.test(text.charAt(inside))) return false;
  return character === '-' ? LETTER_OR_DIGIT.test(text.charAt(beyond)) : /\d/.test(text.charAt(beyond));
}

/** A known value at the place where it stands first. */
export function firstField({ kind, value, at }: KnownValue): CriticalField {
  const start = at[0] ?? 0;
  return { kind, value, start, end: start + value.length };
}
