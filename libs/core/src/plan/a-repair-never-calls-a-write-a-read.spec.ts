import { compact } from '../compact';
import { DEFAULT_POLICY, policyFor } from './policy';
import { CharacterCounter, MemorySessionStore } from '../testing';

const call = (id: string, tool: string): unknown => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: tool, arguments: '{"order":"W1"}' } }],
});
const result = (id: string, word: string): unknown => ({
  role: 'tool',
  tool_call_id: id,
  content: Array.from({ length: 1_000 }, (_, at) => `${word} ${String(at * 7_919)}`).join(' and '),
});

it('only tools whose calls all look like reads are named as re-readable', async () => {
  const messages = [
    { role: 'user', content: 'Look at my order.' },
    call('a', 'get_order'),
    result('a', 'line'),
    { role: 'assistant', content: 'I see it.' },
    { role: 'user', content: 'Cancel it.' },
    call('b', 'cancel_order'),
    result('b', 'row'),
    { role: 'assistant', content: 'It is gone.' },
    { role: 'user', content: 'Thank you.' },
    { role: 'assistant', content: 'You are welcome.' },
  ];
  const outcome = await compact(
    {
      format: 'openai-chat',
      source: JSON.stringify(messages),
      mode: 'enforce',
      recall: 'none',
      contracts: {},
      policy: policyFor('openai-chat', DEFAULT_POLICY),
      budgetTokens: 7_000,
      sealKey: 'key',
    },
    { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
  );
  const repairs = outcome.outcome === 'refused' ? outcome.refusal.repairs : [];
  const tools = repairs.flatMap((repair) => (repair.kind === 'declare_tool' ? [repair.tool] : []));
  expect([outcome.outcome, tools]).toEqual(['refused', ['get_order']]);
});
