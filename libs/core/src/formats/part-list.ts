import { member, removeItemsEdit, type JsonNode, type JsonObject, type TextEdit } from '../json';
import type { Part } from '../window/element';
import type { ChangedSlot } from './window-list-render';

/** Where a part stands in a message that is a list of parts. */
export type ListSlot =
  /** An item of the list. */
  | { readonly at: 'part'; readonly item: number; readonly node: JsonNode }
  /** The whole content, a string. */
  | { readonly at: 'content' }
  /** A message that says nothing. */
  | { readonly at: 'message' };

/** Other text in place of a part; `node` is the list's item, or the message where the content is a string. */
export type ReplacePart = (node: JsonObject, part: Part, text: string) => readonly TextEdit[];

/**
 * The edits of one message of which at least one part stays: an item leaves with its last part (a call and its result
 * may share one), and `replace` writes other text.
 */
export function partListEdits(
  message: JsonNode | undefined,
  listKey: string,
  slots: readonly ChangedSlot<ListSlot>[],
  replace: ReplacePart,
): readonly TextEdit[] {
  if (message?.kind !== 'object') return [];
  const edits: TextEdit[] = [];
  const dropped = new Set<number>();
  const staying = new Set<number>();
  for (const { part, slot, dropped: leaves, replacement } of slots) {
    if (slot.at === 'part') (leaves ? dropped : staying).add(slot.item);
    if (replacement === undefined) continue;
    const node = slot.at === 'part' ? slot.node : message;
    if (node.kind === 'object') edits.push(...replace(node, part, replacement));
  }
  const list = member(message, listKey);
  if (dropped.size > 0 && list?.kind === 'array') {
    edits.push(...removeItemsEdit(list, (index) => !dropped.has(index) || staying.has(index)));
  }
  return edits;
}
