import { classifyWindow } from '../../test/classify-window';

function messages(tool: string, result: string, args: unknown = { id: 7 }): readonly unknown[] {
  const call = { id: 'c1', type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: 'user', content: 'What about my order?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: result },
    { role: 'assistant', content: 'It is on its way.' },
    { role: 'user', content: 'Thank you.' },
  ];
}

const DATA = '{"order":7,"lines":[1,2]}';

it('says what it most likely is, and is ledgered as unproven', () => {
  const window = classifyWindow('openai-chat', messages('get_order_details', DATA));
  expect(window.showing('"id":7')).toMatchObject({
    class: 'pin_effect',
    rule: 'likely_read',
    leavesBehindHandle: true,
  });
  expect(window.showing('"id":7').evidence).toContain('reading verb "get"');
  expect(window.effects).toMatchObject([{ action: 'get_order_details', kind: 'unproven', status: 'succeeded' }]);
  expect(window.showing(DATA).refetchable).toBe(false);
});

it('stays in the window of an agent that cannot recall it', () => {
  const window = classifyWindow('openai-chat', messages('get_order_details', DATA), { recall: 'none' });
  expect(window.showing(DATA).view).toBe('authoritative');
});

it.each([
  ['a result that reports a change', messages('get_order_details', 'Order 7 updated')],
  ['an argument that carries one', messages('get_order_details', DATA, { id: 7, mark_as_read: true })],
])('%s takes the judgement away', (_case, window) => {
  expect(classifyWindow('openai-chat', window).showing('"id":7').rule).toBe('no_contract');
});

it('a definition in the window that tells of a change takes it away, too', () => {
  const described = { name: 'get_order_details', description: 'Gets the order and marks it as seen.', parameters: {} };
  const tools = [{ type: 'function', function: described }];
  const window = classifyWindow('openai-chat', { tools, messages: messages('get_order_details', DATA) });
  expect(window.showing('"id":7').rule).toBe('no_contract');
});

it('a contract that proves no effect says no more than none', () => {
  const contracts = { get_order_details: { effect: 'unproven' }, frobnicate: { effect: 'unproven' } } as const;
  const likely = classifyWindow('openai-chat', messages('get_order_details', DATA), { contracts });
  expect(likely.showing('"id":7')).toMatchObject({ class: 'pin_effect', rule: 'likely_read' });
  const other = classifyWindow('openai-chat', messages('frobnicate', DATA), { contracts });
  expect(other.showing('"id":7').rule).toBe('contract_unproven');
});

it('a contract may say by which arguments a tool only reads', () => {
  const contracts = {
    editor: { effect: 'converging', read_when: [{ json_path: '$.command', equals: 'view' }] },
  } as const;
  const view = classifyWindow('openai-chat', messages('editor', DATA, { id: 7, command: 'view' }), { contracts });
  expect(view.showing('"id":7')).toMatchObject({ class: 'reclaim', rule: 'contract_read_when' });
  const edit = classifyWindow('openai-chat', messages('editor', DATA, { id: 7, command: 'insert' }), { contracts });
  expect(edit.showing('"id":7').class).toBe('pin_effect');
});
