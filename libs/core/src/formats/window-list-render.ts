import {
  rebuildArray,
  removeItemsEdit,
  sourceOf,
  applyEdits,
  type ArrayPart,
  type JsonObject,
  type TextEdit,
} from '../json';
import { InvariantBrokenError } from '../errors';
import type { Part } from '../window/element';
import type { MessageOrder } from './tidy-window';
import type { DraftMessage } from './window-draft';
import type { Insertion, WindowChanges } from './window-format';
import type { WindowSource } from './window-source';

/** What becomes of one message. */
export type MessageRendering =
  | { readonly kind: 'kept' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'edited'; readonly edits: readonly TextEdit[] };

/** A part of one message with its place in the source and what a pass does to it. */
export interface ChangedSlot<Slot> {
  readonly part: Part;
  readonly slot: Slot;
  /** Which of the message's items holds it. */
  readonly item: number;
  readonly dropped: boolean;
  readonly replacement: string | undefined;
}

export function hasNoChanges(changes: WindowChanges): boolean {
  return changes.replaced.size === 0 && changes.dropped.size === 0 && changes.inserted.length === 0;
}

/** The parts of a message with their changes. Throws `INVARIANT_BROKEN` for new text where the format cannot put any. */
export function changedSlots<Slot>(
  message: DraftMessage<Slot>,
  parts: readonly Part[],
  changes: WindowChanges,
): ChangedSlot<Slot>[] {
  return message.slots.map(({ part: index, slot, item }) => {
    const part = parts[index];
    if (part === undefined) throw new InvariantBrokenError(`A message names part ${String(index)}, which is not there`);
    const dropped = changes.dropped.has(index);
    const replacement = dropped ? undefined : changes.replaced.get(index);
    if (replacement !== undefined && !part.editable) {
      throw new InvariantBrokenError(`The part at ${part.path} cannot take other text`);
    }
    return { part, slot, item, dropped, replacement };
  });
}

/**
 * What a message becomes by the parts that stay: kept, dropped, or edited by `edit`. A message leaves with its last
 * part, and also when only reasoning would stay of it, which no provider accepts.
 */
export function messageRendering<Slot>(
  slots: readonly ChangedSlot<Slot>[],
  edit: () => readonly TextEdit[],
): MessageRendering {
  if (slots.every((slot) => !slot.dropped && slot.replacement === undefined)) return { kind: 'kept' };
  const stays = slots.filter((slot) => !slot.dropped);
  if (stays.length < slots.length && stays.every((slot) => slot.part.kind === 'reasoning')) return { kind: 'dropped' };
  return { kind: 'edited', edits: edit() };
}

/** What the items of a message become; `edit` gives the edits of one item of which at least one part stays. */
export function itemRenderings<Slot>(
  slots: readonly ChangedSlot<Slot>[],
  itemCount: number,
  edit: (item: number, slots: readonly ChangedSlot<Slot>[]) => readonly TextEdit[],
): readonly MessageRendering[] {
  const whole = messageRendering(slots, () => (itemCount === 1 ? edit(0, slots) : []));
  return Array.from({ length: itemCount }, (_, item) => {
    if (whole.kind !== 'edited' || itemCount === 1) return whole;
    const own = slots.filter((slot) => slot.item === item);
    return messageRendering(own, () => edit(item, own));
  });
}

/**
 * The source with its list of messages rebuilt, in `order`; everything around the list stays byte for byte. What is
 * inserted in front of a message that moved stands in front of the next that did not.
 */
export function renderList(
  source: WindowSource,
  renderings: readonly MessageRendering[],
  inserted: readonly Insertion[],
  serialize: (insertion: Insertion) => string,
  { order, moved }: MessageOrder = { order: source.list.items.map((_, index) => index), moved: new Set() },
): { readonly head: string; readonly list: string; readonly tail: string } {
  const { text, list } = source;
  const count = list.items.length;
  for (const { beforeMessage: place } of inserted) {
    if (!Number.isInteger(place) || place < 0 || place > count) {
      throw new InvariantBrokenError(`A window of ${String(count)} messages has no place ${String(place)}`);
    }
  }
  const waiting = inserted.toSorted((a, b) => a.beforeMessage - b.beforeMessage);
  const parts: ArrayPart[] = [];
  const insertUpTo = (place: number): void => {
    while ((waiting[0]?.beforeMessage ?? Infinity) <= place) {
      parts.push(...waiting.splice(0, 1).map((insertion) => ({ insert: serialize(insertion) })));
    }
  };
  for (const item of order) {
    const node = list.items[item];
    const rendering = renderings[item] ?? { kind: 'kept' };
    if (!moved.has(item)) insertUpTo(item);
    if (rendering.kind === 'kept') parts.push({ item });
    if (rendering.kind === 'edited' && node !== undefined) {
      parts.push({ item, replacement: editedSlice(sourceOf(text, node), node.start, rendering.edits) });
    }
  }
  insertUpTo(count);
  return { head: text.slice(0, list.start), list: rebuildArray(text, list, parts), tail: text.slice(list.end) };
}

/** Applies edits with offsets in the whole text to a slice of it. */
function editedSlice(slice: string, sliceStart: number, edits: readonly TextEdit[]): string {
  return applyEdits(
    slice,
    edits.map((edit) => ({ ...edit, start: edit.start - sliceStart, end: edit.end - sliceStart })),
  );
}

/** The edits that remove the members with these keys, duplicates included. */
export function removeMembersEdit(object: JsonObject, keys: ReadonlySet<string>): TextEdit[] {
  const spans = object.members.map(({ keyStart, value }) => ({ ...value, start: keyStart }));
  const list = { kind: 'array', start: object.start, end: object.end, items: spans } as const;
  return removeItemsEdit(list, (index) => !keys.has(object.members[index]?.key ?? ''));
}
