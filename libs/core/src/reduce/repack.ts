import { isJsonError, parseJson, type JsonNode } from '../json';
import { foldLines, unfoldLines } from './fold-lines';
import { foldSentences, unfoldSentences } from './fold-sentences';
import { packJson } from './json-table';
import { minifyJson } from './minify-json';
import { stripTerminalCodes } from './terminal-codes';
import { unpackJson } from './unpack-json';

/**
 * `minified`         JSON without white space, which needs no words to say so
 * `table`            JSON with arrays of like objects as rows
 * `json_lines`       JSON lines as one table
 * `terminal`         text without terminal codes
 * `folded`           text with repeated lines folded
 * `terminal_folded`  both
 * `said_again`       prose with sentences that were said before as numbers
 */
export const REPACK_KINDS = [
  'minified',
  'table',
  'json_lines',
  'terminal',
  'folded',
  'terminal_folded',
  'said_again',
] as const;
export type RepackKind = (typeof REPACK_KINDS)[number];

/** The same content in fewer tokens; the first line of `text` says so in words, but for plain JSON. */
export interface Repacked {
  readonly kind: RepackKind;
  readonly text: string;
}

/** A repack leaves at most this share of the characters, or it is not worth a changed text. */
const LARGEST_WORTHWHILE_SHARE = 0.9;
/** JSON stays as easy to read, and each blank that leaves is most of a token. */
const LARGEST_JSON_SHARE = 0.98;

/** Kinds that say what they are. */
export type NotedKind = Exclude<RepackKind, 'minified'>;

/** First lines, by which a repacked text is known. */
const NOTES: Readonly<Record<NotedKind, string>> = {
  table: '[same content as tables; [name, value] is in every row]',
  json_lines: '[same content, JSON lines as a table; [name, value] is in every row]',
  terminal: '[same content, terminal codes left out]',
  folded: '[same content, repeated lines folded]',
  terminal_folded: '[same content, terminal codes left out, repeated lines folded]',
  said_again: '[same content, [2] repeats the 2nd sentence]',
};

/**
 * The same content with fewer tokens, proven by reading it back; undefined where it would not be worth a changed text,
 * and for a text that is repacked already. Linear in the length of the text.
 */
export function repackText(text: string): Repacked | undefined {
  if (repackKindOf(text) !== undefined) return undefined;
  const node = parseContainer(text);
  const repacked = node === undefined ? (repackJsonLines(text) ?? repackLines(text)) : repackJson(text, node);
  if (repacked === undefined) return undefined;
  const largest = node === undefined ? LARGEST_WORTHWHILE_SHARE : LARGEST_JSON_SHARE;
  if (repacked.text.length > largest * text.length) return undefined;
  return repackReadsBack(repacked.text, text) ? repacked : undefined;
}

/** How a text was repacked, by its first line; undefined where it was not, or where it is plain JSON. */
export function repackKindOf(text: string): NotedKind | undefined {
  if (!text.startsWith('[same content')) return undefined;
  return REPACK_KINDS.filter((kind) => kind !== 'minified').find((kind) => text.startsWith(`${NOTES[kind]}\n`));
}

/** The canonical content (see {@link canonicalText}) of a repacked text. */
export function unpackText(kind: RepackKind, packed: string): string {
  if (kind === 'minified') return packed;
  const body = packed.slice(NOTES[kind].length + 1);
  switch (kind) {
    case 'table':
    case 'json_lines':
      return unpackJson(body, parseJson(body));
    case 'terminal':
      return body;
    case 'folded':
    case 'terminal_folded':
      return unfoldLines(body);
    case 'said_again':
      return unfoldSentences(body);
  }
}

/**
 * What a kind of repack keeps of an original, byte for byte: JSON without white space between its tokens, text without
 * terminal codes, folded text whole.
 */
export function canonicalText(kind: RepackKind, original: string): string {
  switch (kind) {
    case 'minified':
    case 'table':
      return minifyJson(original, parseJson(original));
    case 'json_lines': {
      const array = arrayOfLines(original);
      return minifyJson(array, parseJson(array));
    }
    case 'folded':
    case 'said_again':
      return original;
    case 'terminal':
    case 'terminal_folded':
      return stripTerminalCodes(original);
  }
}

/** Whether a repacked text has the whole content of the original. */
export function repackReadsBack(packed: string, original: string): boolean {
  const kind = repackKindOf(packed) ?? 'minified';
  try {
    return unpackText(kind, packed) === canonicalText(kind, original);
  } catch (thrown) {
    if (isJsonError(thrown)) return false;
    throw thrown;
  }
}

function noted(kind: NotedKind, body: string): Repacked {
  return { kind, text: `${NOTES[kind]}\n${body}` };
}

/** The root of a JSON text that is an object or an array; undefined for anything else. */
export function parseContainer(text: string): JsonNode | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 200))) return undefined;
  try {
    const node = parseJson(text);
    return node.kind === 'object' || node.kind === 'array' ? node : undefined;
  } catch (thrown) {
    if (isJsonError(thrown)) return undefined;
    throw thrown;
  }
}

function repackJson(text: string, node: JsonNode): Repacked {
  const packed = packJson(text, node);
  const minified: Repacked = { kind: 'minified', text: packed.hasTable ? minifyJson(text, node) : packed.json };
  const table = packed.hasTable ? noted('table', packed.json) : minified;
  return table.text.length < minified.text.length ? table : minified;
}

function repackJsonLines(text: string): Repacked | undefined {
  if (!text.startsWith('{') || !text.includes('}\n{')) return undefined;
  const array = arrayOfLines(text);
  const node = parseContainer(array);
  const packed = node === undefined ? undefined : packJson(array, node);
  return packed?.hasTable === true ? noted('json_lines', packed.json) : undefined;
}

function arrayOfLines(text: string): string {
  return `[${text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join(',')}]`;
}

function repackLines(text: string): Repacked | undefined {
  const plain = stripTerminalCodes(text);
  const folded = foldLines(plain);
  if (plain === text && folded !== undefined) return noted('folded', folded);
  if (plain === text) {
    const said = foldSentences(text);
    return said === undefined ? undefined : noted('said_again', said);
  }
  return folded === undefined ? noted('terminal', plain) : noted('terminal_folded', folded);
}
