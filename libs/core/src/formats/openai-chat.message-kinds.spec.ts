import { windowOf } from '../../test/windows';

const kinds = (message: unknown) =>
  windowOf('openai-chat', [message]).parts.map(({ kind, role, text, path, editable }) => [
    kind,
    role,
    text,
    path,
    editable,
  ]);

describe('what an OpenAI message is made of', () => {
  it('reads developer messages as system text', () => {
    expect(kinds({ role: 'developer', content: 'Rules' })).toEqual([['text', 'system', 'Rules', '/0/content', true]]);
  });

  it('reads an assistant message as reasoning, text and a part for each call', () => {
    const message = {
      role: 'assistant',
      reasoning_content: 'Hm.',
      content: 'I look.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":1}' } },
        { id: 'b', type: 'custom', custom: { name: 'shell', input: 'ls' } },
      ],
    };
    expect(kinds(message)).toEqual([
      ['reasoning', 'assistant', 'Hm.', '/0/reasoning_content', false],
      ['text', 'assistant', 'I look.', '/0/content', true],
      ['call', 'assistant', '{"n":1}', '/0/tool_calls/0', false],
      ['call', 'assistant', 'ls', '/0/tool_calls/1', false],
    ]);
  });

  it('reads parts of a content list one by one, a picture without its base64 text', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const message = {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url } },
      ],
    };
    expect(kinds(message)).toEqual([
      ['text', 'user', 'See', '/0/content/0', true],
      ['attachment', 'user', '', '/0/content/1', false],
    ]);
    expect(windowOf('openai-chat', [message]).parts[1]?.attachment).toMatchObject({ mediaType: 'image/png' });
  });

  it('leaves arguments that are no JSON unparsed', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":' } }];
    const part = windowOf('openai-chat', [{ role: 'assistant', content: null, tool_calls: calls }]).parts[0];
    expect(part?.call).toEqual({ callId: 'a', tool: 'f', argumentsText: '{"n":', args: undefined });
  });

  it('pairs a legacy function call with its function message', () => {
    const { parts } = windowOf('openai-chat', [
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'ok' },
    ]);
    expect(parts.map(({ kind, result }) => [kind, result?.call])).toEqual([
      ['call', undefined],
      ['result', 0],
    ]);
  });

  it('counts tool definitions beside the messages', () => {
    const source = '{"messages":[{"role":"user","content":"Go"}],"tools":[{"n": 1.0}],"model":"gpt-4o"}';
    const window = windowOf('openai-chat', source);
    expect([window.fixedTexts, window.model]).toEqual([['[{"n": 1.0}]'], 'gpt-4o']);
  });
});
