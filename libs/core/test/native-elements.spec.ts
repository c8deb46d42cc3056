import { compact } from '../src/compact';
import type { Outcome } from '../src/outcome';
import type { PassRequest } from '../src/pass';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

// No sentence twice: what repeats would be repacked and need no loss.
const filler = Array.from(
  { length: 12 },
  (_, n) => `the quick brown fox number ${String(n)} looks at line after line of a log that says nothing new today. `,
).join('');

async function pass(
  elements: readonly object[],
  over: Partial<PassRequest> = {},
  store = new MemorySessionStore('s'),
): Promise<Outcome> {
  return compact(
    {
      format: 'elements',
      source: JSON.stringify(elements),
      mode: 'enforce',
      recall: 'tool',
      contracts: {},
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'refuse' },
      budgetTokens: 400,
      sealKey: 'k',
      ...over,
    },
    { store, counter: new CharacterCounter() },
  );
}

const rule = { id: 'rule', role: 'user', content: 'never touch the `prod` namespace', task_critical: true, x: 1.5 };
const log = {
  id: 'log',
  role: 'tool',
  content: filler,
  regenerable: true,
  idempotent: true,
  handle: 'file:///var/log/a',
};
const charge = {
  id: 'charge',
  role: 'tool',
  content: filler,
  regenerable: true,
  action: 'charge',
  target: 'cus_19',
  idempotency_key: 'k-1',
  status: 'succeeded',
};

it('an ambiguous element refuses the pass, secures what it can, and does not block the next window', async () => {
  const store = new MemorySessionStore('s');
  const outcome = await pass([rule, charge, { id: 'odd', content: 'maybe' }], {}, store);
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
  expect(outcome.refusal.code).toBe('AMBIGUOUS_ELEMENT');
  expect(outcome.refusal.elements.map(({ element_id: id }) => id)).toEqual(['odd']);
  expect(outcome.refusal.elements[0]?.evidence).not.toBe('');
  expect(outcome.refusal.repairs.map((repair) => repair.kind === 'mark_element' && repair.set)).toEqual([
    { task_critical: true },
    { regenerable: true, idempotent: true },
  ]);
  const secured = await store.load();
  expect(secured.records.map(({ content }) => content)).toEqual(['never touch the `prod` namespace']);
  expect(secured.effects.map(({ action, target, status }) => [action, target, status])).toEqual([
    ['charge', 'cus_19', 'succeeded'],
  ]);
  const marked = await pass([rule, log, charge, { id: 'odd', content: 'maybe', task_critical: true }], {}, store);
  expect(marked.outcome).toBe('compacted');
});

it('a charge keeps its ledger fields and loses its content behind a handle', async () => {
  const store = new MemorySessionStore('s');
  const outcome = await pass([rule, log, charge], { budgetTokens: 200 }, store);
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  const output = JSON.parse(outcome.proven.window) as Record<string, unknown>[];
  expect(outcome.proven.window).toContain(JSON.stringify(rule));
  const pinned = output.find(({ id }) => id === 'charge');
  expect(pinned).toMatchObject({ action: 'charge', target: 'cus_19', idempotency_key: 'k-1', status: 'succeeded' });
  expect(pinned?.content).not.toBe(filler);
  const handle = /h_[0-9a-z]+/u.exec(String(pinned?.content))?.[0] ?? '';
  expect((await store.findOriginal(handle))?.text).toBe(filler);
});

it('a fired effect without a target cannot be ledgered', async () => {
  const { target: _, ...incomplete } = charge;
  const outcome = await pass([rule, incomplete]);
  expect(outcome.outcome === 'refused' && outcome.refusal.code).toBe('EFFECT_INCOMPLETE');
});

it('one idempotency key for two targets is a conflict', async () => {
  const outcome = await pass([charge, { ...charge, id: 'again', target: 'cus_20' }]);
  expect(outcome.outcome === 'refused' && outcome.refusal.code).toBe('EFFECT_CONFLICT');
});

it('a claim of being externalized does not count when neither content nor store has it', async () => {
  const outcome = await pass([{ id: 'gone', content: null, task_critical: true, externalized: true }]);
  expect(outcome.outcome === 'refused' && outcome.refusal.code).toBe('HANDLE_UNRESOLVED');
});

it('a stated target that cannot be met refuses with the most that can', async () => {
  const outcome = await pass([rule, log], { reclaimTargetTokens: 100_000 });
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
  expect(outcome.refusal.code).toBe('TARGET_UNREACHABLE');
  const lower = outcome.refusal.repairs.find((repair) => repair.kind === 'lower_target');
  const reachable = lower?.kind === 'lower_target' ? lower.reclaim_target_tokens : 0;
  expect((await pass([rule, log], { reclaimTargetTokens: reachable })).outcome).toBe('compacted');
});

it('observe answers with the old window and shows what enforce would hand out', async () => {
  const outcome = await pass([rule, log, charge], { mode: 'observe', budgetTokens: 500 });
  if (outcome.outcome !== 'unchanged') throw new Error(outcome.outcome);
  expect(outcome.reason).toBe('observe');
  expect(outcome.would?.tokensAfter).toBeLessThan(outcome.tokensBefore);
});

it('observe never refuses: it says what enforce would refuse with', async () => {
  const outcome = await pass([rule, { id: 'odd', content: 'maybe' }], { mode: 'observe' });
  if (outcome.outcome !== 'unchanged') throw new Error(outcome.outcome);
  expect(outcome.wouldRefuse?.code).toBe('AMBIGUOUS_ELEMENT');
});

it('an id that comes again with another effect is a conflict, not the same effect', async () => {
  const store = new MemorySessionStore('s');
  await pass([rule, log, charge], { budgetTokens: 200 }, store);
  const refund = { ...charge, action: 'refund', target: 'cus_20', idempotency_key: 'k-2' };
  const outcome = await pass([rule, log, refund], { budgetTokens: 200 }, store);
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
  expect(outcome.refusal.code).toBe('EFFECT_CONFLICT');
  expect(outcome.refusal.elements.map(({ element_id: id }) => id)).toEqual(['charge']);
  expect((await pass([rule, log, { ...refund, id: 'refund' }], { budgetTokens: 200 }, store)).outcome).toBe(
    'compacted',
  );
  expect((await store.load()).effects.map(({ action, target }) => [action, target])).toEqual([
    ['charge', 'cus_19'],
    ['refund', 'cus_20'],
  ]);
});

it('a record whose element says something else now, or may leave now, is put back by the block', async () => {
  const store = new MemorySessionStore('s');
  await pass(
    [rule, { ...log, id: 'spec', content: `limit 14 ${filler}`, task_critical: true, regenerable: false }],
    {},
    store,
  );
  const changed = { ...rule, content: 'never touch the `live` namespace' };
  const outcome = await pass(
    [changed, { ...log, id: 'spec', content: `limit 14 ${filler}` }, log],
    {
      ...{ budgetTokens: 2_000, aimTokens: 0 },
    },
    store,
  );
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  const [block] = JSON.parse(outcome.proven.window) as { content: string }[];
  expect(block?.content).toContain('R1 element rule: never touch the `prod` namespace');
  expect(block?.content).toContain('limit 14');
});
