import { compact } from '../src/compact';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const long = (word: string): string => Array.from({ length: 60 }, (_, line) => `${line} ${word}`).join('\n');

async function proven(messages: readonly object[]) {
  const source = JSON.stringify(messages);
  const outcome = await compact(
    {
      format: 'openai-chat',
      source,
      mode: 'enforce',
      recall: 'tool',
      contracts: { read: { effect: 'read' } },
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens: 10_000,
      aimTokens: 10,
      sealKey: 'k',
    },
    { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
  );
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  expect(verifyReceipt(outcome.proven.receipt, { input: source, output: outcome.proven.window })).toEqual([]);
  return JSON.parse(outcome.proven.window) as { role: string; content: string; tool_call_id?: string }[];
}

const call = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path":"/a"}' } }],
});
const tail = [
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Thanks.' },
];

it('a window with blank text compacts', async () => {
  const output = await proven([
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: '' },
    call('c1'),
    { role: 'tool', tool_call_id: 'c1', content: long('alpha') },
    ...tail,
  ]);
  expect(output.filter(({ role, content }) => role === 'assistant' && content === '')).toEqual([]);
});

it('a result that stands apart from its call compacts behind it', async () => {
  const output = await proven([
    { role: 'user', content: 'Read it.' },
    call('c1'),
    { role: 'user', content: 'Are you there?' },
    { role: 'tool', tool_call_id: 'c1', content: long('alpha') },
    ...tail,
  ]);
  expect(output.some(({ content }) => content === 'Are you there?')).toBe(true);
});

it('half a surrogate pair fails nothing and leaves visibly replaced', async () => {
  const output = await proven([
    { role: 'user', content: 'half \ud83d pair' },
    call('c1'),
    { role: 'tool', tool_call_id: 'c1', content: `\ud800 ${long('alpha')}` },
    ...tail,
  ]);
  expect(output.some(({ content }) => content === 'half \ufffd pair')).toBe(true);
});
