import {
  items,
  member,
  quoteJson,
  removeItemsEdit,
  setMemberEdit,
  sourceOf,
  stringValue,
  type JsonNode,
  type JsonObject,
  type TextEdit,
} from '../json';
import { callBlockId, isCallBlock, langChainMessage } from './langchain-message';
import type { LangChainSlot } from './langchain-read';
import { replaceLoneSurrogates } from './lone-surrogates';
import { resultContentEdits } from './result-content';
import type { Insertion } from './window-format';
import { removeMembersEdit, type ChangedSlot } from './window-list-render';
import type { WindowSource } from './window-source';

/** The edits of one message of which at least one part stays. */
export function langChainMessageEdits(
  message: JsonNode | undefined,
  slots: readonly ChangedSlot<LangChainSlot>[],
): readonly TextEdit[] {
  const held = message === undefined ? undefined : langChainMessage(message)?.held;
  if (held === undefined) return [];
  const replaced = slots.flatMap(({ part, slot, replacement }): readonly TextEdit[] => {
    if (replacement === undefined) return [];
    if (part.kind === 'result') return resultContentEdits(held, replacement);
    if (slot.at !== 'block') return [setMemberEdit(held, 'content', literal(replacement))];
    return slot.node.kind === 'object' ? [setMemberEdit(slot.node, 'text', literal(replacement))] : [];
  });
  return [...replaced, ...droppedEdits(held, slots)];
}

/** Blocks and provider's members that repeat a call leave with it. */
function droppedEdits(held: JsonObject, slots: readonly ChangedSlot<LangChainSlot>[]): TextEdit[] {
  const dropped = slots.filter((slot) => slot.dropped).map(({ slot }) => slot);
  if (dropped.length === 0) return [];
  const edits: TextEdit[] = [];
  if (dropped.some((slot) => slot.at === 'content')) edits.push(setMemberEdit(held, 'content', '""'));
  const blocks = new Set(dropped.flatMap((slot) => (slot.at === 'block' ? [slot.block] : [])));
  const callIds = new Set(dropped.flatMap((slot) => (slot.at === 'call' ? [slot.callId] : [])));
  const content = member(held, 'content');
  if (content?.kind === 'array') {
    const leaves = (block: JsonNode, index: number): boolean =>
      blocks.has(index) || (isCallBlock(block) && callIds.has(callBlockId(block) ?? ''));
    const gone = content.items.map(leaves);
    if (gone.includes(true)) edits.push(...removeItemsEdit(content, (index) => gone[index] !== true));
  }
  const calls = member(held, 'tool_calls');
  const droppedCalls = new Set(dropped.flatMap((slot) => (slot.at === 'call' ? [slot.item] : [])));
  if (droppedCalls.size > 0 && calls?.kind === 'array') {
    edits.push(...removeItemsEdit(calls, (index) => !droppedCalls.has(index)));
    edits.push(...repeatedCallEdits(held, callIds, droppedCalls.size === calls.items.length));
  }
  return edits;
}

/** The provider's own form of the calls in `additional_kwargs`. */
function repeatedCallEdits(held: JsonObject, callIds: ReadonlySet<string>, all: boolean): TextEdit[] {
  const more = member(held, 'additional_kwargs');
  if (more?.kind !== 'object') return [];
  if (all) return removeMembersEdit(more, new Set(['tool_calls', 'function_call']));
  const calls = member(more, 'tool_calls');
  if (calls?.kind !== 'array') return [];
  return removeItemsEdit(calls, (index) => !callIds.has(stringValue(member(calls.items[index], 'id')) ?? ''));
}

const CLASSES = { user: 'HumanMessage', assistant: 'AIMessage' } as const;
const TYPES = { user: 'human', assistant: 'ai' } as const;

/** A message that is wrapped as the first of the list is. */
export function serializeLangChainInsertion({ role, text }: Insertion, source: WindowSource): string {
  const content = `"content":${literal(text)}`;
  const first = source.list.items[0];
  const wrap = first === undefined ? 'plain' : langChainMessage(first)?.wrap;
  if (wrap === 'constructor') {
    const names = items(member(first, 'id')).slice(0, -1);
    const id = [...names.map((name) => sourceOf(source.text, name)), quoteJson(CLASSES[role])].join(',');
    return `{"lc":1,"type":"constructor","id":[${id}],"kwargs":{${content},"type":"${TYPES[role]}"}}`;
  }
  if (wrap === 'stored') return `{"type":"${TYPES[role]}","data":{${content}}}`;
  const isTyped = first !== undefined && stringValue(member(first, 'type')) !== undefined;
  return isTyped ? `{"type":"${TYPES[role]}",${content}}` : `{"role":"${role}",${content}}`;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}
