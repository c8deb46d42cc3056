import { member, quoteJson, setMemberEdit, type JsonNode, type TextEdit } from '../json';
import type { Part } from '../window/element';
import { BEDROCK_RESULT, onlyJson } from './bedrock-read';
import { replaceLoneSurrogates } from './lone-surrogates';
import { partListEdits, type ListSlot } from './part-list';
import { resultContentEdits } from './result-content';
import type { Mend } from './tidy-window';
import type { Insertion } from './window-format';
import type { ChangedSlot } from './window-list-render';

/** The edits of one message of which at least one part stays. */
export function bedrockMessageEdits(
  message: JsonNode | undefined,
  slots: readonly ChangedSlot<ListSlot>[],
): readonly TextEdit[] {
  return partListEdits(message, 'content', slots, (node, part, text) => {
    if (part.kind !== 'result') return [setMemberEdit(node, 'text', literal(text))];
    const result = member(node, 'toolResult');
    if (result?.kind !== 'object') return [];
    const content = member(result, 'content');
    const isListed = content?.kind === 'array' && content.items.length > 0 && onlyJson(content) === undefined;
    if (isListed && text !== '') return resultContentEdits(result, text, BEDROCK_RESULT);
    return [setMemberEdit(result, 'content', text === '' ? '[]' : `[{"text":${literal(text)}}]`)];
  });
}

export function serializeBedrockInsertion({ role, text }: Insertion): string {
  return `{"role":"${role}","content":[{"text":${literal(text)}}]}`;
}

/** The API rejects blank text. */
export function mendBedrockPart(part: Part): Mend | undefined {
  return part.kind === 'text' && part.text.trim() === '' ? { kind: 'drop' } : undefined;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}
