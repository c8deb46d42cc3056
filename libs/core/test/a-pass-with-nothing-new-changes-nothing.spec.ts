import { compact } from '../src/compact';
import type { Outcome } from '../src/outcome';
import type { PassRequest } from '../src/pass';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { TokenCounter } from '../src/ports';
import { MemorySessionStore } from '../src/testing';
import { writeWindow, type ProviderFormat, type Turn } from './session-windows';

/** Finer than a tokenizer, so that short texts are worth compacting. */
const counter: TokenCounter = {
  name: 'characters/2',
  exact: true,
  count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 2))),
};
const rows = JSON.stringify(
  Array.from({ length: 4 }, (_, index) => ({ id: `item_${index}`, name: 'order', note: 'n'.repeat(60) })),
);
const log = `0 order ${'x'.repeat(40)}\n1 order ${'x'.repeat(40)}`;

async function pass(
  store: MemorySessionStore,
  format: ProviderFormat,
  source: string,
  budgetTokens = 1_000_000,
): Promise<Outcome> {
  const request: PassRequest = {
    ...{ format, source, budgetTokens, aimTokens: 0, sealKey: 'k' },
    mode: 'enforce',
    recall: 'tool',
    contracts: { get_order: { effect: 'read' }, list_files: { effect: 'read' } },
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
  };
  const outcome = await compact(request, { store, counter });
  if (outcome.outcome === 'compacted')
    store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
  return outcome;
}

async function secondPass(format: ProviderFormat, turns: readonly Turn[]): Promise<Outcome['outcome']> {
  const store = new MemorySessionStore('s');
  const first = await pass(store, format, writeWindow(format, turns));
  if (first.outcome !== 'compacted') throw new Error(JSON.stringify(first));
  return (await pass(store, format, first.proven.window)).outcome;
}

it('a result that was repacked before the model read it still waits to be read', async () => {
  const turns: readonly Turn[] = [
    { kind: 'calls', calls: [{ tool: 'get_order', argument: 'W8827341', result: rows }] },
    { kind: 'human', text: 'And then?' },
  ];
  expect(await secondPass('openai-chat', turns)).toBe('unchanged');
});

it('a read whose repetition has left is given up with it', async () => {
  const turns: readonly Turn[] = [
    {
      kind: 'calls',
      calls: [
        { tool: 'list_files', argument: 'W1', result: JSON.stringify([{ id: 'item_0', note: 'n'.repeat(70) }]) },
        { tool: 'list_files', argument: 'W1', result: log },
        { tool: 'get_order', argument: 'W2', result: 'ok' },
      ],
    },
    { kind: 'calls', calls: [{ tool: 'get_order', argument: 'W8827341', result: rows }] },
  ];
  expect(await secondPass('openai-responses', turns)).toBe('unchanged');
});

it('words whose values are long are shortened to what the plan counted on: a budget that can be met is met', async () => {
  const path = '/srv/app/config/prod.yaml';
  const source = writeWindow('gemini', [
    { kind: 'model', text: `t order order ${path} because the lock was stale ${path} order.` },
    {
      kind: 'calls',
      calls: [
        { tool: 'get_order', argument: 'W1', result: JSON.stringify([{ id: 'item_0', note: 'n'.repeat(70) }]) },
        { tool: 'get_order', argument: 'W2', result: log },
      ],
    },
    { kind: 'human', text: 'Go on.' },
    { kind: 'calls', calls: [{ tool: 'get_order', argument: 'W1', result: 'ok' }] },
  ]);
  const refused = await pass(new MemorySessionStore('s'), 'gemini', source, 1);
  const smallest = refused.outcome === 'refused' ? (refused.refusal.floor_tokens ?? 0) : 0;
  for (const budgetTokens of [smallest, smallest + 1, smallest + 4]) {
    const outcome = await pass(new MemorySessionStore('s'), 'gemini', source, budgetTokens);
    expect([budgetTokens, outcome.outcome]).toEqual([budgetTokens, 'compacted']);
  }
});
