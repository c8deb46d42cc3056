import { rendered, windowOf } from '../../test/windows';
import { langchainFormat } from './index';

const dumped = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', name],
  kwargs,
});
const human = dumped('HumanMessage', { content: 'Go', type: 'human' });
const calls = [{ name: 'read', args: { path: '/a' }, id: 'a', type: 'tool_call' }];
const answer = dumped('ToolMessage', { content: 'out', tool_call_id: 'a', status: 'error', type: 'tool' });
const problems = (messages: unknown) => langchainFormat.validate(JSON.stringify(messages));

describe('messages of LangChain', () => {
  it('are read dumped, stored and plain', () => {
    const expected = [
      ['text', 'user', 'Go'],
      ['call', 'assistant', '{"path":"/a"}'],
      ['result', 'tool', 'out'],
    ];
    const ai = { content: '', tool_calls: calls };
    const result = { content: 'out', tool_call_id: 'a' };
    for (const messages of [
      [human, dumped('AIMessageChunk', ai), dumped('ToolMessage', result)],
      [
        { type: 'human', data: { content: 'Go' } },
        { type: 'ai', data: ai },
        { type: 'tool', data: result },
      ],
      [
        { type: 'human', content: 'Go' },
        { type: 'ai', ...ai },
        { type: 'tool', ...result },
      ],
      [
        { role: 'user', content: 'Go' },
        { role: 'assistant', ...ai },
        { role: 'tool', ...result },
      ],
    ]) {
      const window = windowOf('langchain', { messages });
      expect(window.parts.map(({ kind, role, text }) => [kind, role, text])).toEqual(expected);
      expect(langchainFormat.validate(window.source)).toEqual([]);
    }
  });

  it('drop what repeats a call together with it', () => {
    const ai = dumped('AIMessage', {
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: '/a' } },
      ],
      tool_calls: calls,
      additional_kwargs: { tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{}' } }], x: 1 },
    });
    const window = windowOf('langchain', [human, ai, answer]);
    expect(window.parts.map(({ kind }) => kind)).toEqual(['text', 'text', 'call', 'result']);
    expect(window.parts[3]?.result?.isError).toBe(true);
    const written = JSON.parse(rendered(window, { dropped: [2, 3] })) as unknown[];
    const kwargs = { content: [{ type: 'text', text: 'I look.' }], tool_calls: [], additional_kwargs: { x: 1 } };
    expect(written).toEqual([human, dumped('AIMessage', kwargs)]);
  });

  it.each([
    ['dumped', human, dumped('AIMessage', { content: 'Earlier.', type: 'ai' })],
    ['stored', { type: 'human', data: { content: 'Go' } }, { type: 'ai', data: { content: 'Earlier.' } }],
    ['plain', { type: 'human', content: 'Go' }, { type: 'ai', content: 'Earlier.' }],
    ['by role', { role: 'user', content: 'Go' }, { role: 'assistant', content: 'Earlier.' }],
  ])('are inserted as the others are: %s', (_, message, expected) => {
    const inserted = [{ beforeMessage: 1, role: 'assistant', text: 'Earlier.', id: 's' }] as const;
    expect(JSON.parse(rendered(windowOf('langchain', [message]), { inserted: [...inserted] }))).toEqual([
      message,
      expected,
    ]);
  });

  it.each([
    ['a result without a call', [human, answer], 'TOOL_RESULT_ORPHAN'],
    [
      'a call without a result',
      [human, dumped('AIMessage', { content: '', tool_calls: calls }), human],
      'TOOL_RESULT_MISSING',
    ],
    ['an empty message', [dumped('HumanMessage', { content: '' })], 'MESSAGE_EMPTY'],
    ['a message of another kind', [dumped('RemoveMessage', { id: 'x' })], 'ROLE_INVALID'],
  ])('are refused for %s', (_, messages, code) => {
    expect(problems(messages)).toMatchObject([{ code }]);
  });
});
