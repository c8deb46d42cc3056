import { windowOf } from '../../test/windows';
import type { FormatName } from '../terms';
import { MISSING_RESULT_TEXT } from '../window/missing-result';
import { formatOf } from './index';

const text = MISSING_RESULT_TEXT;

function mended(format: FormatName, list: readonly object[]): unknown {
  const window = windowOf(format, list);
  const written = formatOf(format).mended(window);
  expect(formatOf(format).validate(written)).toEqual([]);
  expect(formatOf(format).mended(windowOf(format, written))).toBe(written);
  return JSON.parse(written);
}

const user = { role: 'user', content: 'Go on.' };
const chatCall = (...ids: string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const chatResult = (id: string, content = 'ok'): object => ({ role: 'tool', tool_call_id: id, content });

describe('a call that the window went on without', () => {
  it('gets a result that says so, behind the results of its siblings', () => {
    expect(mended('openai-chat', [user, chatCall('a', 'b', 'c'), chatResult('b'), user])).toEqual([
      user,
      chatCall('a', 'b', 'c'),
      chatResult('b'),
      chatResult('a', text),
      chatResult('c', text),
      user,
    ]);
  });

  it('gets a result of the retired kind', () => {
    const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
    expect(mended('openai-chat', [user, call, user])).toEqual([
      user,
      call,
      { role: 'function', name: 'f', content: text },
      user,
    ]);
  });

  it('is left alone at the end, where it may still run', () => {
    const list = [user, chatCall('a', 'b'), chatResult('a')];
    expect(mended('openai-chat', list)).toEqual(list);
  });

  it('gets a result at the start of the next turn', () => {
    const use = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: {} });
    const result = { type: 'tool_result', tool_use_id: 'b', content: 'ok' };
    const lost = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: text };
    const list = [user, { role: 'assistant', content: [use('a'), use('b')] }, { role: 'user', content: [result] }];
    expect(mended('anthropic', list)).toEqual([...list.slice(0, 2), { role: 'user', content: [lost] }, list[2]]);
  });

  it('gets a response behind that of an equal call without an id', () => {
    const call = { functionCall: { name: 'f', args: {} } };
    const response = (value: object): object => ({ functionResponse: { name: 'f', response: value } });
    const said = { role: 'user', parts: [{ text: 'Go on.' }] };
    const list = [said, { role: 'model', parts: [call, call] }, { role: 'user', parts: [response({ output: 'ok' })] }];
    expect(mended('gemini', list)).toEqual([
      ...list.slice(0, 2),
      { role: 'user', parts: [response({ output: 'ok' }), response({ error: text })] },
    ]);
  });

  it('shares a message with the words behind it where user and assistant speak in turn', () => {
    const call = { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] };
    const said = { role: 'user', content: [{ text: 'Go on.' }] };
    const lost = { toolResult: { toolUseId: 'a', content: [{ text }], status: 'error' } };
    expect(mended('bedrock-converse', [said, call, said])).toEqual([
      said,
      call,
      { role: 'user', content: [lost, ...said.content] },
    ]);
  });

  it('gets a typed output', () => {
    const call = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] };
    const output = { type: 'error-text', value: text };
    expect(mended('ai-sdk', [user, call, user])).toEqual([
      user,
      call,
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output }] },
      user,
    ]);
  });

  it('ends in an error in the part that holds it', () => {
    const part = { type: 'tool-f', toolCallId: 'a', state: 'input-available', input: {} };
    const message = (id: string, parts: object[]): object => ({ id, role: 'assistant', parts });
    const asked = { ...part, state: 'approval-requested', approval: { id: 'p' } };
    const ended = { ...part, state: 'output-error', errorText: text };
    expect(mended('ai-sdk', [message('1', [part, asked]), message('2', [part])])).toEqual([
      message('1', [ended, ended]),
      message('2', [part]),
    ]);
  });

  it('gets a message wrapped as the others are', () => {
    const kwargs = { content: '', tool_calls: [{ name: 'f', args: {}, id: 'a' }] };
    const of = (name: string, held: object): object => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', name],
      kwargs: held,
    });
    const human = of('HumanMessage', { content: 'Go on.' });
    const lost = of('ToolMessage', { content: text, tool_call_id: 'a', status: 'error', type: 'tool' });
    expect(mended('langchain', [human, of('AIMessage', kwargs), human])).toEqual([
      human,
      of('AIMessage', kwargs),
      lost,
      human,
    ]);
  });

  it.each([
    ['function_call', { name: 'f', arguments: '{}' }, { output: text }],
    ['custom_tool_call', { name: 'f', input: 'x' }, { output: text }],
    ['apply_patch_call', { operation: {} }, { status: 'failed', output: text }],
    ['shell_call', { action: {} }, { output: [{ stdout: '', stderr: text, outcome: { type: 'timeout' } }] }],
  ])('gets an output of its kind, behind all that the model put out: %s', (type, more, output) => {
    const call = { type, call_id: 'a', ...more };
    const words = { role: 'assistant', content: 'I call.' };
    expect(mended('openai-responses', [user, call, words, user])).toEqual([
      user,
      call,
      words,
      { type: `${type}_output`, call_id: 'a', ...output },
      user,
    ]);
  });
});

describe('ids that come twice in one turn', () => {
  it('are told apart, with the results in their order', () => {
    expect(mended('openai-chat', [chatCall('a', 'a', 'a_2'), chatResult('a'), chatResult('a'), user])).toEqual([
      chatCall('a', 'a_3', 'a_2'),
      chatResult('a'),
      chatResult('a_3'),
      chatResult('a_2', text),
      user,
    ]);
  });

  it('are told apart in the items of Responses, which also lose a repeated item id', () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'a', name: 'f', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'a', output: 'ok' };
    const { id: _, ...bare } = call;
    expect(mended('openai-responses', [user, call, call, output, output])).toEqual([
      user,
      call,
      { ...bare, call_id: 'a_2' },
      output,
      { ...output, call_id: 'a_2' },
    ]);
  });

  it('are told apart in every place that repeats them', () => {
    const block = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: {} });
    const call = (id: string): object => ({ name: 'f', args: {}, id });
    const message = (second: string): object => ({
      type: 'ai',
      content: [block('a'), block(second)],
      tool_calls: [call('a'), call(second)],
    });
    const result = (id: string): object => ({ type: 'tool', content: 'ok', tool_call_id: id });
    expect(mended('langchain', [message('a'), result('a'), result('a')])).toEqual([
      message('a_2'),
      result('a'),
      result('a_2'),
    ]);
  });

  it('of messages of the user interface are told apart, too', () => {
    const message = (id: string): object => ({ id, role: 'user', parts: [{ type: 'text', text: 'x' }] });
    expect(mended('ai-sdk', [message('1'), message('1')])).toEqual([message('1'), message('1_2')]);
  });
});

it('reasoning of which what it led to is gone gives way to a mark', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
  expect(mended('openai-responses', [user, reasoning, user])).toEqual([
    user,
    { role: 'assistant', content: '[Reasoning was left out here: what it led to is not in the window.]' },
    user,
  ]);
});
