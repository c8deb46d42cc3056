import { kindOfScalar } from './kind-of-scalar';
import type { StructuredField } from './structured-field';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/y;
const WORD = /(?:true|false|null)(?!\w)/y;
/** Deeper, nobody reads a path. */
const DEEPEST = 64;
const LONGEST_NAME = 160;

interface Level {
  readonly isArray: boolean;
  key: string;
  index: number;
}

/**
 * The scalars of every JSON value in a text, with their paths as names; a value that breaks off gives what it has.
 * Linear: each character is looked at once.
 */
export function findJsonLeaves(text: string): readonly StructuredField[] {
  const fields: StructuredField[] = [];
  let offset = 0;
  for (;;) {
    while (offset < text.length && !opensJson(text, offset)) offset++;
    if (offset >= text.length) return fields;
    offset = readValue(text, offset, fields);
  }
}

/** `{"` and `[{`, `["`, `[[` or `[1`: what stands in prose in brackets is none. */
function opensJson(text: string, offset: number): boolean {
  const open = text.charAt(offset);
  if (open !== '{' && open !== '[') return false;
  const next = text.charAt(skipSpace(text, offset + 1));
  return open === '{' ? next === '"' : next === '{' || next === '"' || next === '[';
}

/** Reads the value that opens at an offset; answers where reading goes on. */
function readValue(text: string, from: number, fields: StructuredField[]): number {
  const levels: Level[] = [];
  let offset = from;
  let isKeyNext = false;
  while (offset < text.length) {
    const level = levels.at(-1);
    const character = text.charAt(offset);
    if (character === '{' || character === '[') {
      if (levels.length >= DEEPEST) return offset + 1;
      levels.push({ isArray: character === '[', key: '', index: 0 });
      isKeyNext = character === '{';
      offset++;
    } else if (level === undefined) {
      return offset;
    } else if (character === '}' || character === ']') {
      levels.pop();
      isKeyNext = false;
      offset++;
      if (levels.length === 0) return offset;
    } else if (character === ',') {
      if (level.isArray) level.index++;
      isKeyNext = !level.isArray;
      offset++;
    } else if (character === '"') {
      const end = stringEnd(text, offset);
      if (end === -1) return offset + 1;
      if (isKeyNext) {
        const colon = skipSpace(text, end + 1);
        if (text.charAt(colon) !== ':') return end + 1;
        level.key = text.slice(offset + 1, end);
        isKeyNext = false;
        offset = colon + 1;
      } else {
        addString(text, offset + 1, end, levels, fields);
        offset = end + 1;
      }
    } else if (isSpace(character)) {
      offset++;
    } else {
      const end = bareEnd(text, offset);
      if (end === undefined || isKeyNext) return offset + 1;
      if (NUMBER_START.test(character)) addField('number', offset, end, levels, fields);
      offset = end;
    }
  }
  return offset;
}

const NUMBER_START = /[-\d]/;

function bareEnd(text: string, offset: number): number | undefined {
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = offset;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return undefined;
}

function addString(
  text: string,
  start: number,
  end: number,
  levels: readonly Level[],
  fields: StructuredField[],
): void {
  const value = text.slice(start, Math.min(end, start + MAX_VALUE + 1));
  // An escape is no byte of the value.
  if (value.length > MAX_VALUE || value.includes('\\')) return;
  const kind = kindOfScalar(value, pathOf(levels), true);
  if (kind !== undefined) addField(kind, start, end, levels, fields);
}

const MAX_VALUE = 200;

function addField(
  kind: StructuredField['kind'],
  start: number,
  end: number,
  levels: readonly Level[],
  fields: StructuredField[],
): void {
  fields.push({ kind, start, end, name: pathOf(levels) });
}

function pathOf(levels: readonly Level[]): string {
  let path = '';
  for (const { isArray, key, index } of levels) {
    if (isArray) path += `[${String(index)}]`;
    else path += path === '' ? key : `.${key}`;
    if (path.length > LONGEST_NAME) return path.slice(-LONGEST_NAME);
  }
  return path;
}

/** The closing quote of a string that opens at an offset; -1 where a line ends first or there is none. */
function stringEnd(text: string, open: number): number {
  for (let offset = open + 1; offset < text.length; offset++) {
    const character = text.charAt(offset);
    if (character === '\\') offset++;
    else if (character === '"') return offset;
    else if (character === '\n') return -1;
  }
  return -1;
}

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && isSpace(text.charAt(offset))) offset++;
  return offset;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}
