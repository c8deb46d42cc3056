import type { Part } from '../window/element';
import type { DraftMessage } from './window-draft';
import type { WindowChanges } from './window-format';

/** What a provider needs done to a part that it would reject: it leaves, or other text stands in its place. */
export type Mend = { readonly kind: 'drop' } | { readonly kind: 'replace'; readonly text: string };

/** The changes and, besides, the mends of parts that they do not touch. The last message is never emptied by mends. */
export function withMends<Slot>(
  messages: readonly DraftMessage<Slot>[],
  parts: readonly Part[],
  changes: WindowChanges,
  mendOf: (part: Part, slot: Slot) => Mend | undefined,
): WindowChanges {
  const dropped = new Set(changes.dropped);
  const replaced = new Map(changes.replaced);
  for (const message of messages) {
    const leaving: number[] = [];
    for (const { part: index, slot } of message.slots) {
      const part = parts[index];
      if (part === undefined || changes.dropped.has(index) || changes.replaced.has(index)) continue;
      const mend = mendOf(part, slot);
      if (mend?.kind === 'replace') replaced.set(index, mend.text);
      if (mend?.kind === 'drop') leaving.push(index);
    }
    const isLastEmptied = message.index === messages.length - 1 && leaving.length === message.parts.length;
    if (!isLastEmptied) for (const index of leaving) dropped.add(index);
  }
  return { ...changes, dropped, replaced };
}

/** Order of messages, and those among them that left their place. */
export interface MessageOrder {
  readonly order: readonly number[];
  readonly moved: ReadonlySet<number>;
}

/**
 * The messages in their order, but results that stand apart from their calls directly behind them: the provider
 * rejects the window otherwise. With `joinsTurns`, neighbours of the role assistant are one turn, and the results of
 * all its calls may stand behind the last of them.
 */
export function pairedOrder<Slot>(
  messages: readonly DraftMessage<Slot>[],
  parts: readonly Part[],
  joinsTurns: boolean,
): MessageOrder {
  const answers = messages.map((message) => callMessageOf(message, parts));
  const moved = new Set<number>();
  const movedBehind = new Map<number, number[]>();
  /** The first message from which nothing but results (and the turn's own messages) stands before the current one. */
  let runStart = 0;
  messages.forEach(({ index, role }) => {
    const call = answers[index];
    if (call === undefined) {
      const isJoined = joinsTurns && role === 'assistant' && messages[index - 1]?.role === 'assistant';
      if (!isJoined) runStart = index;
    } else if (call < runStart) {
      moved.add(index);
      movedBehind.set(call, [...(movedBehind.get(call) ?? []), index]);
    }
  });
  const order = messages.flatMap(({ index }) => (moved.has(index) ? [] : [index, ...(movedBehind.get(index) ?? [])]));
  return { order, moved };
}

/** The message whose calls a message of nothing but results answers; undefined for any other message. */
function callMessageOf<Slot>(message: DraftMessage<Slot>, parts: readonly Part[]): number | undefined {
  const calls = message.parts.map((index) => parts[parts[index]?.result?.call ?? -1]?.message);
  const [first] = calls;
  return first !== undefined && calls.every((call) => call === first) ? first : undefined;
}
