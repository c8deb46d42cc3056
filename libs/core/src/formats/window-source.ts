import type { WindowProblem, WindowProblemCode } from '../errors';
import {
  isJsonError,
  items,
  jsonPointer,
  member,
  parseJson,
  sourceOf,
  stringValue,
  type JsonArray,
  type JsonNode,
  type JsonObject,
} from '../json';
import type { ReadAnswer, ReadLimits } from './window-format';

/** A parsed source: the list of messages, and the provider's request object around it where there is one. */
export interface WindowSource {
  readonly text: string;
  readonly list: JsonArray;
  /** JSON pointer of the list: `''` for a bare array. */
  readonly listPath: string;
  readonly envelope: JsonObject | undefined;
}

export type OpenedSource =
  { readonly kind: 'opened'; readonly source: WindowSource } | Exclude<ReadAnswer, { kind: 'window' }>;

/** Request fields by which a provider adds, keeps or edits history that the request does not show. */
const SERVER_HELD_FIELDS = [
  'previous_response_id',
  'conversation',
  'context_management',
  'cachedContent',
  'cached_content',
] as const;
const EVIDENCE_MAX_CHARACTERS = 200;

/**
 * Parses a source and finds its list of messages: the text itself, or the first of `listKeys` that its object has.
 * With `provider`, references to history that the server holds are answered as such.
 */
export function openWindowSource(
  text: string,
  listKeys: readonly string[],
  limits: ReadLimits,
  provider: boolean,
): OpenedSource {
  const parsed = parseSource(text, limits);
  if (parsed.kind === 'invalid') return parsed;
  const { root } = parsed;
  const envelope = root.kind === 'object' ? root : undefined;
  if (provider && envelope !== undefined) {
    const held = SERVER_HELD_FIELDS.find((key) => isSaid(member(envelope, key)));
    if (held !== undefined) return serverHeld(text, member(envelope, held) ?? envelope, jsonPointer([held]));
  }
  const listKey = listKeys.find((key) => member(envelope, key) !== undefined);
  const list = listKey === undefined ? root : member(envelope, listKey);
  const listPath = listKey === undefined ? '' : jsonPointer([listKey]);
  if (list?.kind !== 'array') {
    const expected = `a list of messages, or an object with ${listKeys.map((key) => `"${key}"`).join(' or ')}`;
    return invalid('WINDOW_WRONG_SHAPE', listPath, `Expected ${expected}`);
  }
  if (list.items.length > limits.maxElements) return tooMany(listPath, limits);
  if (provider) {
    const index = list.items.findIndex((item) => stringValue(member(item, 'type')) === 'item_reference');
    const reference = list.items[index];
    if (reference !== undefined) return serverHeld(text, reference, `${listPath}/${String(index)}`);
  }
  return { kind: 'opened', source: { text, list, listPath, envelope } };
}

/** Limits that any text meets: for texts that were admitted before. */
export function noLimits(text: string): ReadLimits {
  return { maxDepth: text.length, maxElements: text.length };
}

/** The answer to a window with more elements than the limit. */
export function tooMany(path: string, limits: ReadLimits): Exclude<ReadAnswer, { kind: 'window' | 'server_held' }> {
  return invalid('WINDOW_TOO_MANY_ELEMENTS', path, `More than ${String(limits.maxElements)} elements`);
}

/** Source texts of request members that the model reads besides the messages, such as tool definitions. */
export function fixedSourceTexts(source: WindowSource, keys: readonly string[]): string[] {
  return keys
    .map((key) => member(source.envelope, key))
    .filter((node) => node !== undefined && (node.kind !== 'array' || items(node).length > 0))
    .map((node) => (node === undefined || node.kind === 'null' ? '' : sourceOf(source.text, node)))
    .filter((fixed) => fixed !== '');
}

function parseSource(
  text: string,
  limits: ReadLimits,
): { kind: 'parsed'; root: JsonNode } | { kind: 'invalid'; problems: readonly WindowProblem[] } {
  try {
    return { kind: 'parsed', root: parseJson(text, { maxDepth: limits.maxDepth }) };
  } catch (thrown) {
    if (!isJsonError(thrown)) throw thrown;
    const codes = {
      JSON_SYNTAX: 'WINDOW_NOT_JSON',
      JSON_TOO_DEEP: 'WINDOW_TOO_DEEP',
      JSON_TOO_MANY_NODES: 'WINDOW_TOO_MANY_ELEMENTS',
    } as const;
    return invalid(codes[thrown.code], thrown.path, thrown.message);
  }
}

function isSaid(node: JsonNode | undefined): boolean {
  if (node === undefined || node.kind === 'null') return false;
  if (node.kind === 'string') return node.value !== '';
  if (node.kind === 'array') return node.items.length > 0;
  if (node.kind === 'object') {
    const edits = member(node, 'edits');
    return node.members.length > 0 && !(edits?.kind === 'array' && edits.items.length === 0);
  }
  return true;
}

function serverHeld(text: string, node: JsonNode, path: string): OpenedSource {
  return { kind: 'server_held', path, evidence: sourceOf(text, node).slice(0, EVIDENCE_MAX_CHARACTERS) };
}

function invalid(
  code: WindowProblemCode,
  path: string,
  message: string,
): { kind: 'invalid'; problems: readonly WindowProblem[] } {
  return { kind: 'invalid', problems: [{ code, path, message }] };
}
