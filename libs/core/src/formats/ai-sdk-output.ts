import {
  member,
  quoteJson,
  setMemberEdit,
  sourceOf,
  stringValue,
  type JsonNode,
  type JsonObject,
  type TextEdit,
} from '../json';
import type { Attachment } from '../window/element';
import { findJson } from './find-json';
import { replaceLoneSurrogates, replaceLoneSurrogatesInJson } from './lone-surrogates';
import {
  CONTENT_BLOCKS,
  readResultContent,
  resultContentEdits,
  type ResultContent,
  type ResultShape,
} from './result-content';

/** `output` of the type `content`: its blocks stand in `value`. */
const CONTENT_VALUE: ResultShape = { ...CONTENT_BLOCKS, key: 'value' };

/** Reads `{type, value}`: words, structure or blocks. `attachmentOf` knows the blocks that are no words. */
export function readTypedOutput(
  text: string,
  output: JsonNode,
  attachmentOf: (block: JsonNode) => Attachment | undefined,
): ResultContent {
  const type = stringValue(member(output, 'type')) ?? '';
  const value = member(output, 'value');
  if (type === 'execution-denied') {
    return { text: stringValue(member(output, 'reason')) ?? 'denied', editable: false, attachment: undefined };
  }
  if (type === 'content') return readResultContent(text, value, attachmentOf, CONTENT_VALUE);
  return { text: value === undefined ? '' : valueText(text, value), editable: true, attachment: undefined };
}

/** The edits that put other text in place of a typed output; structure stays structure where the text is one. */
export function typedOutputEdits(holder: JsonObject, key: string, replacement: string): readonly TextEdit[] {
  const output = member(holder, key);
  if (output?.kind !== 'object') return [];
  const type = stringValue(member(output, 'type')) ?? '';
  if (type === 'content') return resultContentEdits(output, replacement, CONTENT_VALUE);
  const isStructured = type === 'json' || type === 'error-json';
  if (!isStructured || member(output, 'value')?.kind === 'string' || isStructure(replacement)) {
    return [valueEdit(output, 'value', replacement)];
  }
  const literal = quoteJson(replaceLoneSurrogates(replacement));
  return [setMemberEdit(holder, key, `{"type":"${type === 'json' ? 'text' : 'error-text'}","value":${literal}}`)];
}

/** What a value of any kind says: a string's words, else its JSON. */
export function valueText(text: string, value: JsonNode): string {
  return stringValue(value) ?? sourceOf(text, value);
}

/** Puts other text in place of a value: structure in place of structure, else a string. */
export function valueEdit(holder: JsonObject, key: string, replacement: string): TextEdit {
  const isWords = member(holder, key)?.kind === 'string' || !isStructure(replacement);
  return setMemberEdit(holder, key, isWords ? quoteJson(replaceLoneSurrogates(replacement)) : replacement);
}

/** Whether the text is an object or a list that reads back as that text. */
function isStructure(text: string): boolean {
  const node = findJson(text);
  const isWhole = node !== undefined && node.start === 0 && node.end === text.length;
  return isWhole && (node.kind === 'object' || node.kind === 'array') && replaceLoneSurrogatesInJson(text) === text;
}
