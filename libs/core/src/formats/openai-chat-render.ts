import {
  member,
  quoteJson,
  removeItemsEdit,
  setMemberEdit,
  type JsonNode,
  type JsonObject,
  type TextEdit,
} from '../json';
import { replaceLoneSurrogates } from './lone-surrogates';
import type { OpenAiSlot } from './openai-chat-read';
import { resultContentEdits } from './result-content';
import type { Insertion } from './window-format';
import { removeMembersEdit, type ChangedSlot } from './window-list-render';

/** The edits of one message of which at least one part stays. */
export function openAiMessageEdits(
  message: JsonNode | undefined,
  slots: readonly ChangedSlot<OpenAiSlot>[],
): readonly TextEdit[] {
  if (message?.kind !== 'object') return [];
  const replaced = slots.flatMap(({ part, slot, replacement }) =>
    replacement === undefined ? [] : replacementEdits(message, slot, part.kind === 'result', replacement),
  );
  return [...replaced, ...droppedEdits(message, slots)];
}

export function serializeOpenAiInsertion({ role, text }: Insertion): string {
  return `{"role":"${role}","content":${literal(text)}}`;
}

function replacementEdits(message: JsonObject, slot: OpenAiSlot, isResult: boolean, text: string): TextEdit[] {
  if (isResult) return resultContentEdits(message, text);
  if (slot.at === 'item') return slot.node.kind === 'object' ? [setMemberEdit(slot.node, 'text', literal(text))] : [];
  return [setMemberEdit(message, 'content', literal(text))];
}

/** Content that leaves beside calls that stay becomes null; a list of which all items leave loses its member. */
function droppedEdits(message: JsonObject, slots: readonly ChangedSlot<OpenAiSlot>[]): TextEdit[] {
  const dropped = slots.filter((slot) => slot.dropped).map(({ slot }) => slot);
  const edits: TextEdit[] = [];
  const droppedItems = new Set(dropped.flatMap((slot) => (slot.at === 'item' ? [slot.item] : [])));
  const droppedCalls = new Set(dropped.flatMap((slot) => (slot.at === 'call' ? [slot.item] : [])));
  const droppedMembers = new Set(dropped.flatMap((slot) => (slot.at === 'member' ? [slot.key] : [])));
  const content = member(message, 'content');
  const isContentGone = content?.kind === 'array' && droppedItems.size === content.items.length;
  if (dropped.some((slot) => slot.at === 'content') || (droppedItems.size > 0 && isContentGone)) {
    edits.push(setMemberEdit(message, 'content', 'null'));
  } else if (droppedItems.size > 0 && content?.kind === 'array') {
    edits.push(...removeItemsEdit(content, (index) => !droppedItems.has(index)));
  }
  const calls = member(message, 'tool_calls');
  if (droppedCalls.size > 0 && calls?.kind === 'array') {
    if (droppedCalls.size === calls.items.length) droppedMembers.add('tool_calls');
    else edits.push(...removeItemsEdit(calls, (index) => !droppedCalls.has(index)));
  }
  if (droppedMembers.size > 0) edits.push(...removeMembersEdit(message, droppedMembers));
  return edits;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}
