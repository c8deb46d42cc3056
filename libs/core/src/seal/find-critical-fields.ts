import type { CriticalField, FieldKind } from './critical-field';
import { UNITS } from './known-words';
import { findStructuredFields } from './structure/find-structured-fields';
import { nextTokenRun, type TokenRun } from './token-run';
import { shapeOfToken, type TokenPlace } from './token-shape';

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const MONTH_FIRST = new RegExp(`${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?!\\w)`, 'y');
const DAY_FIRST = new RegExp(`\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\.?(?:,? \\d{4})?(?!\\w)`, 'y');
const HALF_OF_DAY = / ?(?:AM|PM|am|pm|a\.m\.|p\.m\.)(?!\w)/y;
const UNIT_AFTER = /(?: (%|[A-Za-zµ]{1,8})| ?(°[CF]))(?![\w/.-]*\w)/y;
/** Units that are words as well: they count only directly at the number. */
const WORDS_AND_UNITS = new Set(['in', 'line', 'x']);
const LIST_NUMBER = /^\d{1,3}$/;
/** A token longer than this is no name or number but encoded content; it is one field, whole. */
const MAX_SHAPED_LENGTH = 512;

/**
 * Every critical field of a text, in order and without overlap. Structure first: scalars of JSON, cells of tables,
 * `key: value` lines, commands and diffs, each with its name. A lexical net for the rest: ids of any shape, hashes,
 * numbers with their unit, money, dates and times, versions, paths and file names, URLs, e-mail addresses, command
 * flags, names of variables, functions and types; it would rather take a word for a field than miss one.
 *
 * Linear in the length of the text.
 */
export function findCriticalFields(text: string): readonly CriticalField[] {
  const fields: CriticalField[] = [];
  let offset = 0;
  for (const { kind, start, end, name } of findStructuredFields(text)) {
    addLexical(text, offset, start, fields);
    fields.push({ kind, value: text.slice(start, end), start, end, name });
    offset = end;
  }
  addLexical(text, offset, text.length, fields);
  return fields;
}

/** The fields between two offsets, by the shape of their tokens alone. */
function addLexical(text: string, from: number, to: number, fields: CriticalField[]): void {
  let offset = from;
  while (offset < to) {
    const run = nextTokenRun(text, offset);
    if (run === undefined || run.start >= to) return;
    const field = fieldOfRun(text, run);
    // What reaches into a value of the structure is cut off by it.
    if (field !== undefined && field.end <= to) fields.push(field);
    offset = Math.max(run.end, field?.end ?? 0);
  }
}

function fieldOfRun(text: string, run: TokenRun): CriticalField | undefined {
  const spelledDate = dateAt(text, run.start);
  if (spelledDate !== undefined) return fieldAt(text, 'date', run.start, spelledDate);
  if (run.end - run.start > MAX_SHAPED_LENGTH) return longField(text, run);
  const token = text.slice(run.start, run.end);
  const place = placeOf(text, run);
  const shape = shapeOfToken(token, place);
  if (shape === undefined) return undefined;
  const end = run.start + (shape.length ?? token.length);
  if (shape.kind === 'number') {
    if (LIST_NUMBER.test(token) && isListMarker(text, run)) return undefined;
    return fieldAt(text, 'number', run.start, endWithUnit(text, end));
  }
  if (shape.kind === 'date') return fieldAt(text, 'date', run.start, matchEnd(HALF_OF_DAY, text, end) ?? end);
  return fieldAt(text, shape.kind, run.start, end);
}

function fieldAt(text: string, kind: FieldKind, start: number, end: number): CriticalField {
  return { kind, value: text.slice(start, end), start, end };
}

function longField(text: string, run: TokenRun): CriticalField | undefined {
  const head = text.slice(run.start, run.start + MAX_SHAPED_LENGTH);
  if (head.includes('://')) return fieldAt(text, 'url', run.start, run.end);
  return /\d/.test(head) ? fieldAt(text, 'identifier', run.start, run.end) : undefined;
}

function placeOf(text: string, run: TokenRun): TokenPlace {
  const before = text.charAt(run.start - 1);
  return {
    isCode: before === '`' || text.charAt(run.end) === '`',
    isDetached: before === '' || /[\s`'"([{=|]/.test(before),
  };
}

function dateAt(text: string, start: number): number | undefined {
  const first = text.charCodeAt(start);
  if (first >= 0x41 && first <= 0x53) return matchEnd(MONTH_FIRST, text, start);
  return first >= 0x30 && first <= 0x39 ? matchEnd(DAY_FIRST, text, start) : undefined;
}

function matchEnd(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endWithUnit(text: string, end: number): number {
  const halfOfDay = matchEnd(HALF_OF_DAY, text, end);
  if (halfOfDay !== undefined) return halfOfDay;
  UNIT_AFTER.lastIndex = end;
  const match = UNIT_AFTER.exec(text);
  if (match === null) return end;
  const unit = match[1];
  const isUnit = unit === undefined || unit === '%' || (UNITS.has(unit) && !WORDS_AND_UNITS.has(unit));
  return isUnit ? end + match[0].length : end;
}

/** `1.` or `2)` at the start of a line counts list items and states nothing. */
function isListMarker(text: string, run: TokenRun): boolean {
  if (!/^[.)]\s/.test(text.slice(run.end, run.end + 2))) return false;
  let before = run.start - 1;
  while (before >= 0 && run.start - before < 40 && ' \t*>#'.includes(text.charAt(before))) before--;
  return before < 0 || text.charAt(before) === '\n';
}
