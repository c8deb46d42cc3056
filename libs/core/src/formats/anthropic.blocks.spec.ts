import { windowOf } from '../../test/windows';

describe('blocks of an Anthropic window', () => {
  const source = {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 'Rules' }],
    tools: [{ name: 'f' }],
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
          { type: 'tool_use', id: 't1', name: 'f', input: { n: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: true,
            content: [
              { type: 'text', text: 'one' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              { type: 'text', text: 'two' },
            ],
          },
        ],
      },
    ],
  };
  const window = windowOf('anthropic', source);

  it('is one part a block, calls of the provider among them, results of the role tool', () => {
    expect(window.parts.map(({ kind, role, path }) => [kind, role, path])).toEqual([
      ['text', 'user', '/messages/0/content'],
      ['reasoning', 'assistant', '/messages/1/content/0'],
      ['call', 'assistant', '/messages/1/content/1'],
      ['result', 'tool', '/messages/1/content/2'],
      ['call', 'assistant', '/messages/1/content/3'],
      ['result', 'tool', '/messages/2/content/0'],
    ]);
  });

  it('reads the words of a result and counts its picture apart', () => {
    const result = window.parts.at(-1);
    expect(result).toMatchObject({
      text: 'one\ntwo',
      editable: true,
      result: { callId: 't1', call: 4, isError: true },
    });
    expect(result?.attachment?.tokens).toBeGreaterThan(0);
  });

  it('counts system field and tools beside the messages', () => {
    expect(window.fixedTexts).toEqual(['Rules', '[{"name":"f"}]']);
  });

  it('reads system messages between the turns', () => {
    const { parts } = windowOf('anthropic', [
      { role: 'user', content: 'Go' },
      { role: 'system', content: [{ type: 'tool_addition', tool: {} }] },
    ]);
    expect(parts[1]).toMatchObject({ kind: 'opaque', role: 'system' });
  });
});
