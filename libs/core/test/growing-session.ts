import { compact } from '../src/compact';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { ToolContracts } from '../src/classify/tool-contract';
import { CharacterCounter, MemorySessionStore } from '../src/testing';
import { chatCall } from './classify-window';

export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string };

const contracts: ToolContracts = {
  get_order: { effect: 'read' },
  read_log: { effect: 'read' },
  refund: { effect: 'write', target: ['$.order'] },
};

/** One turn of a support session: words of both sides, an order, a log, every fifth turn a refund. */
export function turnOf(number: number): readonly ChatMessage[] {
  const order = `W${String(8_800_000 + number * 37)}`;
  const items = [0, 1, 2].map((item) => ({
    item_id: `${order}-${String(item)}`,
    price: 10 + number + item / 4,
    note: `Shelf ${String(item)} of the hall; ${'packed with care and checked twice '.repeat(3)}`,
  }));
  const log = Array.from(
    { length: 12 },
    (_, line) => `${String(line)} step ${String(line * 7 + number)} of order ${order} took ${String(line * 13)} ms`,
  ).join('\n');
  const rule = number % 20 === 0 ? ` Never ship order ${order} to a post office box.` : '';
  return [
    { role: 'user', content: `Please look at order ${order}.${rule}` },
    ...chats('get_order', { order }, JSON.stringify({ order_id: order, status: 'open', items }), `c${String(number)}a`),
    ...chats('read_log', { day: number }, log, `c${String(number)}b`),
    ...(number % 5 === 0 ? chats('refund', { order, amount: number }, '{"ok":true}', `c${String(number)}c`) : []),
    {
      role: 'assistant',
      content: `Order ${order} is open. I went through its log, and nothing in it stands out to me.`,
    },
  ];
}

function chats(tool: string, args: object, result: string, id: string): readonly ChatMessage[] {
  return chatCall(tool, args, result, id) as readonly ChatMessage[];
}

export interface GrowingSession {
  readonly store: MemorySessionStore;
  readonly window: readonly ChatMessage[];
}

export const emptySession = (): GrowingSession => ({ store: new MemorySessionStore('grows'), window: [] });

/** One pass over the session's window with the new messages behind it; the caller adopts what is handed out. */
export async function grow(
  { store, window }: GrowingSession,
  added: readonly ChatMessage[],
  aimTokens: number,
): Promise<{ readonly outcome: Outcome; readonly session: GrowingSession }> {
  const source = JSON.stringify([...window, ...added]);
  const outcome = await compact(
    {
      ...{ format: 'openai-chat', source, mode: 'enforce', recall: 'tool', contracts, aimTokens },
      ...{ policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' }, budgetTokens: 1_000_000, sealKey: 'secret' },
    },
    { store, counter: new CharacterCounter() },
  );
  if (outcome.outcome !== 'compacted') return { outcome, session: { store, window: [...window, ...added] } };
  store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
  return { outcome, session: { store, window: JSON.parse(outcome.proven.window) as ChatMessage[] } };
}
