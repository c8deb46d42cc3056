import { rendered, windowOf } from '../../test/windows';
import { aiSdkFormat } from './index';

const user = { role: 'user', content: [{ type: 'text', text: 'Go' }] };
const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'map', input: { area: 'fjell' } });
const result = (id: string, output: object) => ({ type: 'tool-result', toolCallId: id, toolName: 'map', output });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const tool = (...content: object[]) => ({ role: 'tool', content });
const state = (id: string, more: object) => ({ type: 'tool-map', toolCallId: id, input: { area: 'fjell' }, ...more });
const ui = (id: string, role: string, ...parts: object[]) => ({ id, role, parts });
const read = (messages: unknown) => windowOf('ai-sdk', messages);
const problems = (messages: unknown) => aiSdkFormat.validate(JSON.stringify(messages));

describe('messages for models', () => {
  it.each([
    ['text', { type: 'text', value: 'long' }, 'short', { type: 'text', value: 'short' }],
    ['JSON by JSON', { type: 'json', value: { a: 1 } }, '{"b":2}', { type: 'json', value: { b: 2 } }],
    ['JSON by words', { type: 'json', value: { a: 1 } }, 'short', { type: 'text', value: 'short' }],
    ['an error', { type: 'error-text', value: 'long' }, 'short', { type: 'error-text', value: 'short' }],
    [
      'blocks',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'long' },
          { type: 'media', data: 'AAAA', mediaType: 'image/png' },
        ],
      },
      'short',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'short' },
          { type: 'media', data: 'AAAA', mediaType: 'image/png' },
        ],
      },
    ],
  ])('replace an output of %s', (_, given, text, expected) => {
    const window = read([user, assistant(call('a')), tool(result('a', given))]);
    const written = rendered(window, { replaced: [[2, text]] });
    expect(JSON.parse(written)).toEqual([user, assistant(call('a')), tool(result('a', expected))]);
    expect(windowOf('ai-sdk', written).parts[2]?.text).toBe(text);
  });

  it('read what the fourth version wrote', () => {
    const old = { type: 'tool-result', toolCallId: 'a', toolName: 'map', result: { km: 1.0 }, isError: true };
    const window = read([user, assistant({ ...call('a'), input: undefined, args: { area: 'x' } }), tool(old)]);
    expect(window.parts[1]?.call?.argumentsText).toBe('{"area":"x"}');
    expect(window.parts[2]).toMatchObject({ text: '{"km":1}', editable: true, result: { call: 1, isError: true } });
  });

  it('keep words that the provider holds or signed', () => {
    const held = (options: object) => ({ type: 'text', text: 'Done.', providerOptions: options });
    const parts = [held({ openai: { itemId: 'msg_1' } }), held({ google: { thoughtSignature: 's' } }), held({ x: {} })];
    expect(read([user, assistant(...parts)]).parts.map(({ editable }) => editable)).toEqual([true, false, false, true]);
  });

  it('leave whole where only reasoning would stay', () => {
    const window = read([user, assistant({ type: 'reasoning', text: 'Hm.' }, call('a')), tool(result('a', {}))]);
    expect(JSON.parse(rendered(window, { dropped: [2, 3] }))).toEqual([user]);
  });

  it.each([
    ['a result without a call', [user, tool(result('a', {}))], 'TOOL_RESULT_ORPHAN'],
    ['a call without a result', [user, assistant(call('a')), user], 'TOOL_RESULT_MISSING'],
    ['an empty message', [{ role: 'user', content: [] }], 'MESSAGE_EMPTY'],
    ['an unknown role', [{ role: 'data', content: 'x' }], 'ROLE_INVALID'],
  ])('are refused for %s', (_, messages, code) => {
    expect(problems(messages)).toMatchObject([{ code }]);
  });
});

describe('messages for the user interface', () => {
  const asked = ui('m1', 'user', { type: 'text', text: 'Go' });

  it.each([
    ['output-available', { state: 'output-available', output: { km: 2 } }, '{"km":2}', undefined],
    ['output-error', { state: 'output-error', errorText: 'No map' }, 'No map', true],
  ])('hold call and result in one part: %s', (_, more, text, isError) => {
    const window = read([asked, ui('m2', 'assistant', { type: 'step-start' }, state('a', more))]);
    expect(window.parts.map(({ kind }) => kind)).toEqual(['text', 'call', 'result']);
    expect(window.parts[1]?.call).toMatchObject({ tool: 'map', argumentsText: '{"area":"fjell"}' });
    expect(window.parts[2]).toMatchObject({ text, result: { call: 1, isError } });
    expect(JSON.parse(rendered(window, { dropped: [1, 2] }))).toEqual([asked]);
  });

  it.each(['input-streaming', 'input-available', 'approval-requested'])('may still run in the last one: %s', (name) => {
    const last = ui('m2', 'assistant', state('a', { state: name }));
    expect(read([asked, last]).parts.map(({ kind }) => kind)).toEqual(['text', 'call']);
    expect(problems([asked, last])).toEqual([]);
    expect(problems([asked, last, ui('m3', 'user', { type: 'text', text: 'x' })])).toMatchObject([
      { code: 'TOOL_RESULT_MISSING' },
    ]);
  });

  it('are read as the fourth version wrote tools', () => {
    const invocation = { state: 'result', toolCallId: 'a', toolName: 'map', args: {}, result: 'far' };
    const window = read([asked, ui('m2', 'assistant', { type: 'tool-invocation', toolInvocation: invocation })]);
    expect(window.parts.map(({ text }) => text)).toEqual(['Go', '{}', 'far']);
    const written = JSON.parse(rendered(window, { replaced: [[2, 'near']] })) as unknown[];
    expect(written[1]).toMatchObject({ parts: [{ toolInvocation: { result: 'near', args: {} } }] });
  });

  it('are inserted as such, with an id', () => {
    const inserted = [{ beforeMessage: 0, role: 'user', text: 'block', id: 'b1' }] as const;
    const written = JSON.parse(rendered(read([asked]), { inserted: [...inserted] })) as unknown[];
    expect(written[0]).toEqual(ui('b1', 'user', { type: 'text', text: 'block' }));
  });

  it('have ids of their own', () => {
    expect(problems([asked, asked])).toMatchObject([{ code: 'ELEMENT_ID_DUPLICATE', path: '/1/id' }]);
  });
});
