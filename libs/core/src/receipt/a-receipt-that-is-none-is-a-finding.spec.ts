import { compact } from '../compact';
import { DEFAULT_POLICY } from '../plan/policy';
import { CharacterCounter, MemorySessionStore } from '../testing';
import { type Receipt, receiptHash } from './receipt';
import { verifyReceipt } from './verify-receipt';

const input = JSON.stringify([
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: 'The folder holds old drafts of the catalogue. '.repeat(40) },
  { role: 'user', content: 'And now?' },
  { role: 'assistant', content: 'Nothing more.' },
  { role: 'user', content: 'Go on.' },
]);

async function genuine(): Promise<{ readonly receipt: Receipt; readonly output: string }> {
  const request = {
    format: 'openai-chat',
    source: input,
    mode: 'enforce',
    recall: 'tool',
    contracts: {},
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
    budgetTokens: 250,
    sealKey: 'secret',
  } as const;
  const outcome = await compact(request, { store: new MemorySessionStore('s'), counter: new CharacterCounter() });
  if (outcome.outcome !== 'compacted') throw new Error(outcome.outcome);
  return { receipt: outcome.proven.receipt, output: outcome.proven.window };
}

it('a genuine one raises nothing', async () => {
  const { receipt, output } = await genuine();
  expect(verifyReceipt(receipt, { input, output })).toEqual([]);
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['an empty object', {}],
  ['a list', []],
  ['a text', 'receipt'],
])('%s', (_, receipt) => {
  expect(verifyReceipt(receipt as Receipt, { input, output: input })).toEqual([
    expect.objectContaining({ check: 'shape' }),
  ]);
});

it.each<[string, object]>([
  ['an unknown format', { format: 'telegram' }],
  ['no tokens', { tokens: undefined }],
  ['elements that are none', { elements: [null] }],
])('%s', async (_, change) => {
  const { receipt, output } = await genuine();
  expect(verifyReceipt({ ...receipt, ...change } as Receipt, { input, output })).toEqual([
    expect.objectContaining({ check: 'shape' }),
  ]);
});

it('totals that its own elements do not add up to', async () => {
  const { receipt, output } = await genuine();
  const changed = { ...receipt, operations: { ...receipt.operations, evict: 7 } };
  const findings = verifyReceipt({ ...changed, hash: receiptHash(changed) }, { input, output });
  expect(findings).toEqual([expect.objectContaining({ check: 'total' })]);
});
