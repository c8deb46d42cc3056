import { compact } from '../src/compact';
import type { Outcome, Repair } from '../src/outcome';
import type { PassRequest } from '../src/pass';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { refusalCause, refusalUrgency } from '../src/plan/refusal-cause';
import { CharacterCounter, MemorySessionStore } from '../src/testing';
import type { StoredRecord } from '../src/ports';
import type { ElementMark, MarkFlags } from '../src/window/element-mark';

const filler = Array.from(
  { length: 12 },
  (_, n) => `line ${n * 7} of a log that says nothing new about it today. `,
).join('');

async function pass(
  source: readonly object[],
  over: Partial<PassRequest> = {},
  store = new MemorySessionStore('s'),
): Promise<Outcome> {
  return compact(
    {
      ...{ format: 'elements', source: JSON.stringify(source), mode: 'enforce', recall: 'tool', contracts: {} },
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'refuse' },
      ...{ budgetTokens: 10_000, sealKey: 'k', ...over },
    },
    { store, counter: new CharacterCounter() },
  );
}

function mark(elementId: string, flags: MarkFlags): ElementMark {
  return {
    elementId,
    flags,
    reason: 'looked at it',
    actor: 'Zoé',
    ...(flags.regenerable === true ? { source: 'crm://1' } : {}),
  };
}

/** The mark that a repair asks for; a person fills in what only its owner knows. */
function markOf(repair: Repair): ElementMark {
  if (repair.kind === 'mark_element') return mark(repair.element_id, repair.set);
  if (repair.kind !== 'attach_effect') throw new Error(repair.kind);
  const { element_id: id, action, target, idempotency_key: key } = repair;
  return mark(id, {
    action: action ?? 'mail',
    target: target ?? 'cus_19',
    ...(key === undefined ? {} : { idempotency_key: key }),
  });
}

const fired = {
  role: 'tool',
  regenerable: true,
  action: 'charge',
  target: 'cus_19',
  status: 'succeeded',
  content: 'paid',
};
const REFUSED: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  ['AMBIGUOUS_ELEMENT', [], [{ id: 'odd', content: 'maybe' }]],
  ['EFFECT_INCOMPLETE', [], [{ id: 'sent', role: 'tool', content: 'sent', regenerable: true, action: 'mail' }]],
  [
    'HANDLE_UNRESOLVED',
    [],
    [{ id: 'away', role: 'tool', content: null, externalized: true, handle: 'h_x', task_critical: true }],
  ],
  ['EFFECT_CONFLICT', [{ ...fired, id: 'a' }], [{ ...fired, id: 'a', target: 'cus_20' }]],
];

describe.each(REFUSED)('%s', (code, before, window) => {
  async function refused(store: MemorySessionStore): Promise<Outcome & { outcome: 'refused' }> {
    if (before.length > 0) await pass(before, {}, store);
    const outcome = await pass(window, {}, store);
    if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
    expect(outcome.refusal).toMatchObject({ code, headroom_tokens: expect.any(Number) as unknown });
    expect(outcome.refusal.repairs).not.toEqual([]);
    return outcome;
  }

  it('names repairs, and each of them makes the window pass', async () => {
    const store = new MemorySessionStore('s');
    const { refusal } = await refused(store);
    for (const repair of refusal.repairs) {
      const outcome = await pass(window, { marks: [markOf(repair)] }, store);
      expect([repair.message, outcome.outcome]).toEqual([repair.message, 'unchanged']);
    }
  });

  it('has a cause without content, ids and counts', async () => {
    const { refusal } = await refused(new MemorySessionStore('s'));
    const { cause, fingerprint } = refusalCause(refusal);
    expect(cause).not.toMatch(/\d|odd|sent|away|maybe|cus/u);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/u);
  });
});

it('two effects with one key are told apart by a key of their own', async () => {
  const window = [
    { ...fired, id: 'a', idempotency_key: 'k' },
    { ...fired, id: 'b', target: 'cus_20', idempotency_key: 'k' },
  ];
  const outcome = await pass(window);
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
  expect(outcome.refusal.repairs).toMatchObject([{ kind: 'attach_effect', element_id: 'b', idempotency_key: 'k#b' }]);
  const repaired = await pass(window, { marks: outcome.refusal.repairs.map(markOf) });
  expect(repaired.outcome).toBe('unchanged');
});

describe('a mark on an element of a provider', () => {
  const call = (id: string, name: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{"q":1}' } }],
  });
  const chat = [
    { role: 'user', content: 'look it up' },
    call('c1', 'lookup_thing'),
    { role: 'tool', tool_call_id: 'c1', content: filler },
    { role: 'assistant', content: 'Found it.' },
    { role: 'user', content: 'and now?' },
    { role: 'assistant', content: 'Nothing.' },
    { role: 'user', content: 'go on' },
  ];
  const asked = {
    format: 'openai-chat',
    budgetTokens: 250,
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold', tailMessages: 1 },
  } as const;
  const accountOf = (outcome: Outcome, id: string) =>
    (outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt)?.elements.find(
      (one) => one.element_id === id,
    );

  it('keeps it verbatim where it would have left, with the words of its owner', async () => {
    const left = await pass(chat, asked);
    expect(accountOf(left, 'e3')?.operation).not.toBe('keep');
    const kept = await pass(chat, { ...asked, marks: [mark('e3', { task_critical: true })] });
    expect(accountOf(kept, 'e3')).toMatchObject({ operation: 'keep', rule: 'marked' });
    expect(accountOf(kept, 'e3')?.evidence).toContain('marked by Zoé: looked at it');
  });

  it('lets it go where nothing else brings it back', async () => {
    const none = { ...asked, recall: 'none' } as const;
    expect(accountOf(await pass(chat, none), 'e3')?.operation).toBe('keep');
    const marks = [mark('e3', { regenerable: true, idempotent: true })];
    const outcome = await pass(chat, { ...none, marks });
    expect(accountOf(outcome, 'e3')).toMatchObject({ operation: 'reduce', rule: 'marked' });
    // What was done is known all the same.
    const store = new MemorySessionStore('s');
    await pass(chat, { ...none, marks }, store);
    expect((await store.load()).effects).toMatchObject([{ action: 'lookup_thing' }]);
  });

  it('is ledgered as the effect that its owner attaches', async () => {
    const store = new MemorySessionStore('s');
    const flags = { action: 'wire', target: 'iban 7', idempotency_key: 'w-1', status: 'succeeded' };
    await pass(chat, { ...asked, marks: [mark('e4', flags)] }, store);
    expect((await store.load()).effects).toContainEqual(
      expect.objectContaining({ occurrence: 'e4', action: 'wire', target: 'iban 7', status: 'succeeded' }),
    );
  });

  it('never moves a system message or what the model has not read', async () => {
    const open = [{ role: 'system', content: filler }, ...chat.slice(0, 3)];
    const marks = ['e1', 'e4'].map((id) => mark(id, { regenerable: true, idempotent: true }));
    const outcome = await pass(open, { ...asked, budgetTokens: 100_000, marks });
    expect(accountOf(outcome, 'e1')?.rule).toBe('system_text');
    expect(accountOf(outcome, 'e4')?.rule).toBe('unread_result');
  });
});

it('a released record is not carried any more', async () => {
  class Released extends MemorySessionStore {
    override async load() {
      const state = await super.load();
      return { ...state, records: state.records.map((record): StoredRecord => ({ ...record, released: true })) };
    }
    override async secure(batch: Parameters<MemorySessionStore['secure']>[0]) {
      const receipt = await super.secure(batch);
      return { ...receipt, records: receipt.records.map((record): StoredRecord => ({ ...record, released: true })) };
    }
  }
  const rule = { id: 'rule', role: 'user', content: 'never touch the `prod` namespace', task_critical: true };
  const log = {
    id: 'log',
    role: 'tool',
    content: filler.repeat(3),
    regenerable: true,
    idempotent: true,
    handle: 'file:///a',
  };
  const shown = async (store: MemorySessionStore): Promise<string> => {
    await pass([rule, log], { budgetTokens: 4_000 }, store);
    const outcome = await pass(
      [{ id: 'later', role: 'user', content: 'go on', task_critical: true }, log],
      { budgetTokens: 400 },
      store,
    );
    if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
    return outcome.proven.window;
  };
  expect(await shown(new MemorySessionStore('s'))).toContain('prod');
  expect(await shown(new Released('s'))).not.toContain('prod');
});

it('somebody is woken where the agent has no room left, or a proof failed', () => {
  expect(refusalUrgency('BUDGET_UNREACHABLE', -1, 100_000)).toEqual({ severity: 'page', stuck: true });
  expect(refusalUrgency('BUDGET_UNREACHABLE', 1_900, 100_000)).toEqual({ severity: 'page', stuck: true });
  expect(refusalUrgency('AMBIGUOUS_ELEMENT', 2_100, 100_000)).toEqual({ severity: 'ticket', stuck: false });
  expect(refusalUrgency('AMBIGUOUS_ELEMENT', 500, 4_000)).toEqual({ severity: 'ticket', stuck: false });
  expect(refusalUrgency('PROOF_FAILED', 90_000, 100_000)).toEqual({ severity: 'page', stuck: false });
  expect(refusalUrgency('SERVER_HELD_HISTORY', undefined, 100_000)).toEqual({ severity: 'ticket', stuck: false });
});
