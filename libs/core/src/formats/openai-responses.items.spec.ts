import { partWhere, rendered, windowOf } from '../../test/windows';
import { DEFAULT_READ_LIMITS, openaiResponsesFormat } from './index';

const user = { role: 'user', content: 'Go' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{"path":"/a"}' });
const output = (id: string, text: unknown = 'out') => ({ type: 'function_call_output', call_id: id, output: text });
const read = (items: unknown) => windowOf('openai-responses', { input: items });
const problems = (items: unknown) => openaiResponsesFormat.validate(JSON.stringify({ input: items }));

describe('the items of OpenAI’s Responses', () => {
  it('are one message where reasoning led to calls, so that they leave together', () => {
    const window = read([user, reasoning, call('a'), call('b'), output('a'), output('b'), user]);
    expect(window.messages.map(({ role, parts }) => [role, parts.length])).toEqual([
      ['user', 1],
      ['assistant', 3],
      ['tool', 1],
      ['tool', 1],
      ['user', 1],
    ]);
    const left = rendered(window, { dropped: [2, 3, 4, 5] });
    expect(JSON.parse(left)).toEqual({ input: [user, user] });
  });

  it('keep the words that reasoning led to as they are', () => {
    const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
    expect(read([user, reasoning, answer]).parts.map(({ editable }) => editable)).toEqual([true, false, false]);
    expect(read([user, answer]).parts.map(({ editable }) => editable)).toEqual([true, true]);
  });

  it('are paired by position, whatever kind the call has', () => {
    const shell = { type: 'local_shell_call', call_id: 'a', action: { type: 'exec', command: ['ls'] } };
    const patch = { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin Patch' };
    const window = read([user, shell, { ...output('a'), type: 'local_shell_call_output' }, patch, output('a')]);
    expect(window.parts.map((part) => part.call?.tool ?? part.result?.call)).toEqual([
      undefined,
      'local_shell',
      1,
      'apply_patch',
      3,
    ]);
    expect(window.parts[3]?.call).toMatchObject({ args: undefined, argumentsText: '*** Begin Patch' });
  });

  it('keep pictures in an output beside its shortened text', () => {
    const picture = { type: 'input_image', image_url: 'https://example.com/a.png' };
    const window = read([user, call('a'), output('a', [{ type: 'input_text', text: 'long' }, picture])]);
    const result = partWhere(window, ({ kind }) => kind === 'result');
    expect(window.parts[result]?.attachment?.mediaType).toBe('image/*');
    const written = JSON.parse(rendered(window, { replaced: [[result, 'short']] })) as { input: unknown[] };
    expect(written.input[2]).toEqual(output('a', [{ type: 'input_text', text: 'short' }, picture]));
  });

  it.each([
    ['loaded tools', { type: 'tool_search_call', id: 'tsc_1', status: 'completed' }],
    ['a call that a person approved', { type: 'mcp_call', id: 'm_1', approval_request_id: 'a_1', name: 'pay' }],
    ['another service’s compaction', { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }],
    ['an item that is not known', { type: 'brand_new', x: 1 }],
  ])('of %s stay whole', (_, item) => {
    expect(read([user, item]).parts[1]).toMatchObject({ kind: 'opaque', text: JSON.stringify(item), editable: false });
  });

  it('read a text as the user’s message, and write it as a list beside what is inserted', () => {
    const source = '{"input": "Go\\u0041", "model":"m"}';
    const window = windowOf('openai-responses', source);
    expect(window.parts).toMatchObject([{ kind: 'text', role: 'user', text: 'GoA' }]);
    expect(rendered(window, {})).toBe(source);
    expect(openaiResponsesFormat.mended(window)).toBe(source);
    const inserted = [{ beforeMessage: 0, role: 'user', text: 'block', id: 'b' }] as const;
    expect(rendered(window, { inserted: [...inserted] })).toBe(
      '{"input": [{"role":"user","content":"block"},{"role":"user","content":"Go\\u0041"}], "model":"m"}',
    );
  });

  it('count instructions and tools besides the messages', () => {
    const window = windowOf('openai-responses', { instructions: 'Be kind.', tools: [{ name: 'a' }], input: [user] });
    expect(window.fixedTexts).toEqual(['Be kind.', '[{"name":"a"}]']);
  });

  it.each([
    ['an output without a call', [user, output('a')], 'TOOL_RESULT_ORPHAN', '/input/1'],
    ['a call without an output', [user, call('a'), user], 'TOOL_RESULT_MISSING', '/input/1'],
    ['two calls of one id', [user, call('a'), call('a'), output('a'), output('a')], 'ELEMENT_ID_DUPLICATE', '/input/2'],
    [
      'two items of one id',
      [user, reasoning, call('a'), output('a'), reasoning],
      'ELEMENT_ID_DUPLICATE',
      '/input/4/id',
    ],
    ['reasoning that led to nothing', [user, reasoning, user], 'WINDOW_WRONG_SHAPE', '/input/1'],
    ['a message that says nothing', [{ role: 'user', content: [] }], 'MESSAGE_EMPTY', '/input/0'],
    ['an unknown role', [{ role: 'tool', content: 'x' }], 'ROLE_INVALID', '/input/0/role'],
  ])('are refused for %s', (_, items, code, path) => {
    expect(problems(items)).toMatchObject([{ code, path }]);
  });

  it('may end with calls that still run', () => {
    expect(problems([user, reasoning, call('a'), call('b')])).toEqual([]);
  });

  it('name history that the server holds', () => {
    const source = JSON.stringify({ previous_response_id: 'resp_1', input: 'Go' });
    expect(openaiResponsesFormat.read(source, DEFAULT_READ_LIMITS)).toEqual({
      kind: 'server_held',
      path: '/previous_response_id',
      evidence: '"resp_1"',
    });
  });
});
