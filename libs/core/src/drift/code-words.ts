import { editDistance } from './edit-distance';
import type { LiteralDrift } from './literal-drift';
import type { SourceIndex } from './source-index';

/** A plain-looking word of the summary that is a code name of the sources with a letter changed. */
export interface CodeWordFinding {
  readonly start: number;
  readonly end: number;
  readonly drift: LiteralDrift;
}

const PLAIN_WORD = /(?<![\p{L}\p{N}_'’-])[A-Za-z]{5,40}(?![\p{L}\p{N}_'’-])/gu;
/** At least two capitals, or a small letter before a capital: nobody writes an ordinary word so. */
const CODE_CASE = /^(?:[a-z]+[A-Z]|[A-Z].*[A-Z])[A-Za-z]*$/;
const CODE_WORD = /(?<![\p{L}\p{N}_])[A-Za-z]{5,40}(?![\p{L}\p{N}_])/gu;
const MAX_NAMES = 4_000;

/** Words one letter (or its case) away from a code name of the sources: `toolext` for `toolText`, `RULe` for `RULE`. */
export function findCodeWords(summary: string, index: SourceIndex): readonly CodeWordFinding[] {
  const found: CodeWordFinding[] = [];
  let names: ReadonlyMap<string, number> | undefined;
  for (const match of summary.matchAll(PLAIN_WORD)) {
    const word = match[0];
    if (index.find(word, 'part') !== -1) continue;
    names ??= codeNamesOf(index.text);
    const name = nameLike(word, names, index);
    if (name === undefined) continue;
    const drift: LiteralDrift = { kind: 'name_changed', expected: name, at: names.get(name) };
    found.push({ start: match.index, end: match.index + word.length, drift });
  }
  return found;
}

function codeNamesOf(text: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const match of text.matchAll(CODE_WORD)) {
    if (names.size >= MAX_NAMES) break;
    if (CODE_CASE.test(match[0]) && !names.has(match[0])) names.set(match[0], match.index);
  }
  return names;
}

function nameLike(word: string, names: ReadonlyMap<string, number>, index: SourceIndex): string | undefined {
  const lower = word.toLowerCase();
  const isOrdinary = index.wordAt(lower).length > 0;
  const isPlain = word === lower || word.slice(1) === lower.slice(1);
  for (const name of names.keys()) {
    if (Math.abs(name.length - word.length) > 1) continue;
    const isUpper = name === name.toUpperCase();
    // `Rule` and `rule` are words of their own beside `RULE`.
    if (isUpper && (isPlain || word === word.toUpperCase())) continue;
    if (isOrdinary && isPlain) continue;
    if (editDistance(word, name, 1) <= 1) return name;
  }
  return undefined;
}
