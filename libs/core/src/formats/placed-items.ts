import type { MessageOrder } from './tidy-window';
import type { DraftMessage } from './window-draft';

/** Where messages stand in the list when some of them are several items. */
export interface PlacedItems {
  /** Index of each message's first item, and behind the last message the number of items. */
  readonly starts: readonly number[];
  /** An order of messages as an order of items. */
  orderOf(order: MessageOrder): MessageOrder;
}

export function placeItems<Slot>(messages: readonly DraftMessage<Slot>[]): PlacedItems {
  const starts = [0];
  for (const { itemCount } of messages) starts.push((starts.at(-1) ?? 0) + itemCount);
  const itemsOf = (message: number): number[] => {
    const start = starts[message] ?? 0;
    return Array.from({ length: messages[message]?.itemCount ?? 0 }, (_, item) => start + item);
  };
  return {
    starts,
    orderOf: ({ order, moved }) => ({
      order: order.flatMap(itemsOf),
      moved: new Set([...moved].flatMap(itemsOf)),
    }),
  };
}
