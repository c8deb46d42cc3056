import { containerOf, isObject } from '../json-values';
import { hasWhole, wholeTokens } from '../whole-token';

const NAME = /\p{L}{2,}/u;
/** Tokens that are values themselves (ids, paths, numbers), and marks: they name nothing. */
const NO_NAMES = /\[recall h_[0-9a-z]+\]|\S*[\d/\\]\S*/gu;
/** What Holdfast says about what left. */
const MARK_KEY = '_holdfast';
/** First line of a repacked text: what follows it is the content. */
const REPACK_NOTE = /^\[same content[^\n]*\]\n/u;
/** Members whose strings are words, not values under a name. */
const WORD_KEYS: ReadonlySet<string> = new Set(['content', 'text', 'type', 'role', 'output', 'thinking', 'value']);

/**
 * Whether a value stands in a window with its name: under a key, in a table whose columns have names, or in a line with
 * a word besides it; a line that stands in the source as it is has the name that it always had.
 */
export function isNamedIn(window: unknown, value: string, sourceLines: ReadonlySet<string>): boolean {
  return isNamed(window, undefined, value, sourceLines);
}

function isNamed(node: unknown, key: string | undefined, value: string, lines: ReadonlySet<string>): boolean {
  if (typeof node === 'string') return isNamedInText(node, key, value, lines);
  if (typeof node === 'number') return key !== undefined && String(node) === value;
  if (Array.isArray(node)) return node.some((item) => isNamed(item, key, value, lines));
  if (!isObject(node)) return false;
  return Object.entries(node).some(
    ([name, item]) =>
      name !== MARK_KEY &&
      (hasWhole(name, value) || isNamed(item, WORD_KEYS.has(name) ? undefined : name, value, lines)),
  );
}

function isNamedInText(text: string, key: string | undefined, value: string, lines: ReadonlySet<string>): boolean {
  if (!hasWhole(text, value)) return false;
  if (key !== undefined) return true;
  const inner = containerOf(text.replace(REPACK_NOTE, ''));
  if (inner !== undefined) return isNamed(inner, undefined, value, lines);
  for (const at of wholeTokens(text, value)) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at + value.length);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (lines.has(line.trim()) || NAME.test(line.replaceAll(value, ' ').replace(NO_NAMES, ' '))) return true;
  }
  return false;
}
