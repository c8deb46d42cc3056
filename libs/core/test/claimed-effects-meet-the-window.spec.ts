import { compact } from '../src/compact';
import { describeClaim } from '../src/effects';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { EffectDraft } from '../src/ports';
import { parseJson } from '../src/json';
import { CharacterCounter, MemorySessionStore } from '../src/testing';
import type { EffectStatus } from '../src/terms';
import { chatCall } from './classify-window';

const contracts = {
  refund: {
    effect: 'write',
    key: ['$.order'],
    target: ['$.order'],
    outcome: { failed_when: [{ contains: 'declined' }], atomic: true },
  },
} as const;
const prose = 'The drafts of the spring catalogue are in the folder. '.repeat(40);
const user = (content: string): object => ({ role: 'user', content });
const assistant = (content: string): object => ({ role: 'assistant', content });

function claimOf(order: string, status: EffectStatus, id = 'claim:1'): EffectDraft {
  const argumentsText = JSON.stringify({ order });
  const call = {
    tool: 'refund',
    argumentsText,
    args: parseJson(argumentsText),
    idempotencyKey: undefined,
    target: undefined,
  };
  const described = describeClaim(contracts, call);
  if (described.kind !== 'effect') throw new Error('a read');
  const { action, target, effectKind: kind, key, keySource, argumentsDigest } = described;
  return {
    ...{ occurrence: id, action, target, kind, idempotencyKey: key, keySource, argumentsDigest, status },
    ...{ statusRaw: undefined, evidence: 'claimed', kept: [] },
  };
}

async function pass(store: MemorySessionStore, messages: readonly object[], aimTokens = 400): Promise<Outcome> {
  const request = {
    ...({
      format: 'openai-chat',
      source: JSON.stringify(messages),
      mode: 'enforce',
      recall: 'tool',
      contracts,
    } as const),
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' as const },
    ...{ budgetTokens: 6_000, aimTokens, sealKey: 'secret' },
  };
  const outcome = await compact(request, { store, counter: new CharacterCounter() });
  if (outcome.outcome === 'compacted')
    store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
  return outcome;
}

const called = (result: string): readonly object[] => [
  user('Refund W1.'),
  ...chatCall('refund', { order: 'W1' }, result),
  assistant(prose),
  user('Thanks.'),
  assistant(prose),
  user('And now?'),
];

it('a claimed effect whose call no window shows is pinned in the block', async () => {
  const store = new MemorySessionStore('s');
  store.ledgerClaim(claimOf('W9', 'succeeded'));
  const outcome = await pass(store, called('{"ok":true}'));
  expect(outcome.outcome === 'compacted' ? outcome.proven.window : '').toContain('E1 refund | W9 | succeeded');
});

it('a claimed effect and the call that a window shows of it are one effect', async () => {
  const store = new MemorySessionStore('s');
  store.ledgerClaim(claimOf('W1', 'succeeded'));
  const outcome = await pass(store, called('{"ok":true}'));
  expect(outcome.incidents).toEqual([]);
  const { effects } = await store.load();
  expect(effects).toHaveLength(1);
  expect(effects[0]).toMatchObject({ ref: 'E1', claim: 'claim:1', status: 'succeeded' });
  expect(effects[0]?.occurrence).not.toBe('claim:1');
});

it('what the window shows closes an effect whose lease ran out, quoted', async () => {
  const store = new MemorySessionStore('s');
  store.ledgerClaim(claimOf('W1', 'unknown'));
  await pass(store, called('{"ok":true,"receipt_id":"RC-7"}'));
  expect((await store.load()).effects).toEqual([
    expect.objectContaining({ status: 'succeeded', kept: ['receipt_id: RC-7'] }),
  ]);
});

it.each([
  ['succeeded', 'declined by the bank', 'failed'],
  ['failed', '{"ok":true}', 'succeeded'],
] as const)(
  'settled as %s, shown as "%s": an incident, once, and the ledger stands',
  async (settled, result, shown) => {
    const store = new MemorySessionStore('s');
    store.ledgerClaim(claimOf('W1', settled));
    const first = await pass(store, called(result), 20_000);
    expect(first.incidents).toEqual([
      expect.objectContaining({
        kind: 'effect_status_changed',
        subject: 'E1',
        expected: settled,
        observed: expect.stringMatching(new RegExp(`^${shown}: `, 'u')) as string,
      }),
    ]);
    expect((await store.load()).effects[0]?.status).toBe(settled);
    expect((await pass(store, [...called(result), assistant('Done.')], 20_000)).incidents).toEqual([]);
  },
);

it('two calls and two claims of one key meet in their order', async () => {
  const store = new MemorySessionStore('s');
  store.ledgerClaim(claimOf('W1', 'failed', 'claim:1'));
  store.ledgerClaim(claimOf('W1', 'succeeded', 'claim:2'));
  const outcome = await pass(
    store,
    [...called('declined by the bank'), ...chatCall('refund', { order: 'W1' }, '{"ok":true}'), user('Good.')],
    20_000,
  );
  expect(outcome.incidents).toEqual([]);
  expect((await store.load()).effects.map(({ claim, status }) => [claim, status])).toEqual([
    ['claim:1', 'failed'],
    ['claim:2', 'succeeded'],
  ]);
});
