import { member, quoteJson, setMemberEdit, type JsonNode, type JsonObject, type TextEdit } from '../json';
import type { Part } from '../window/element';
import { eitherMember } from './either-member';
import { responseWords } from './gemini-read';
import { findJson } from './find-json';
import { replaceLoneSurrogates, replaceLoneSurrogatesInJson } from './lone-surrogates';
import { partListEdits, type ListSlot } from './part-list';
import type { Mend } from './tidy-window';
import type { Insertion } from './window-format';
import type { ChangedSlot } from './window-list-render';

/** The edits of one content of which at least one part stays. */
export function geminiContentEdits(
  content: JsonNode | undefined,
  slots: readonly ChangedSlot<ListSlot>[],
): readonly TextEdit[] {
  return partListEdits(content, 'parts', slots, (node, part, text) => {
    if (part.kind !== 'result') return [setMemberEdit(node, 'text', literal(text))];
    const answered = eitherMember(node, 'functionResponse');
    return answered?.kind === 'object' ? [responseEdit(answered, text)] : [];
  });
}

export function serializeGeminiInsertion({ role, text }: Insertion): string {
  return `{"role":"${role === 'assistant' ? 'model' : 'user'}","parts":[{"text":${literal(text)}}]}`;
}

/** A response is an object: its one text changes, an object takes its place, or words stand in it as `output`. */
function responseEdit(answered: JsonObject, text: string): TextEdit {
  const response = member(answered, 'response');
  const words = responseWords(response);
  if (words !== undefined && response?.kind === 'object') return setMemberEdit(response, words.key, literal(text));
  return setMemberEdit(answered, 'response', isStructure(text) ? text : `{"output":${literal(text)}}`);
}

/** Whether the text is an object that reads back as that text. */
function isStructure(text: string): boolean {
  const node = findJson(text);
  const isWhole = node?.kind === 'object' && node.start === 0 && node.end === text.length;
  return isWhole && responseWords(node) === undefined && replaceLoneSurrogatesInJson(text) === text;
}

/** Text that says nothing leaves, unless it carries a signature. */
export function mendGeminiPart(part: Part): Mend | undefined {
  return part.kind === 'text' && part.text === '' && part.editable ? { kind: 'drop' } : undefined;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}
