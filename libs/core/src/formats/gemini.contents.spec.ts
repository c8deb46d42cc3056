import { partWhere, rendered, windowOf } from '../../test/windows';
import { DEFAULT_READ_LIMITS, geminiFormat } from './index';

const user = (text: string) => ({ role: 'user', parts: [{ text }] });
const model = (...parts: object[]) => ({ role: 'model', parts });
const call = (name: string, more: object = {}) => ({ functionCall: { name, args: { n: 1 } }, ...more });
const response = (name: string, value: object = { output: 'out' }) => ({ functionResponse: { name, response: value } });
const read = (contents: unknown) => windowOf('gemini', { contents });
const problems = (contents: unknown) => geminiFormat.validate(JSON.stringify({ contents }));

describe('the contents of Gemini', () => {
  it('pair calls without ids by name and place', () => {
    const window = read([
      user('Go'),
      model(call('a'), call('b'), call('a')),
      { role: 'user', parts: [response('b'), response('a'), response('a')] },
    ]);
    expect(window.parts.map(({ result }) => result?.call)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      2,
      1,
      3,
    ]);
  });

  it('are read in snake case, too', () => {
    const window = windowOf('gemini', {
      system_instruction: { parts: [{ text: 'Be kind.' }] },
      contents: [
        user('Go'),
        model({ function_call: { name: 'a', args: {} }, thought_signature: 's' }),
        { role: 'user', parts: [{ function_response: { name: 'a', response: { result: 'out' } } }] },
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
      ],
    });
    expect(window.fixedTexts).toEqual(['Be kind.']);
    expect(window.parts.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'Go'],
      ['call', '{}'],
      ['result', 'out'],
      ['attachment', ''],
    ]);
  });

  it('keep a signature with its call, and signed words as they are', () => {
    const signed = model(call('a', { thoughtSignature: 'sig' }), call('b'));
    const words = model({ text: 'Done.', thoughtSignature: 'sig' });
    const window = read([user('Go'), signed, { role: 'user', parts: [response('a'), response('b')] }, words]);
    expect(window.parts.map(({ editable }) => editable)).toEqual([true, false, false, true, true, false]);
    const result = partWhere(window, ({ kind }) => kind === 'result');
    const written = JSON.parse(rendered(window, { replaced: [[result, 'short']] })) as { contents: unknown[] };
    expect(written.contents[1]).toEqual(signed);
  });

  it('tell thoughts from words', () => {
    const signature = { text: '', thoughtSignature: 'sig' };
    const window = read([user('Go'), model({ text: 'Hm.', thought: true }, { text: 'Done.' }, signature)]);
    expect(window.parts.map(({ kind }) => kind)).toEqual(['text', 'reasoning', 'text', 'reasoning']);
  });

  it.each([
    ['words in place of words', { result: 'long' }, 'short', { result: 'short' }],
    ['words in place of structure', { rows: [1, 2] }, 'short', { output: 'short' }],
    ['structure in place of structure', { rows: [1, 2] }, '{"rows":[1]}', { rows: [1] }],
  ])('take %s', (_, given, text, expected) => {
    const window = read([user('Go'), model(call('a')), { role: 'user', parts: [response('a', given)] }]);
    const written = rendered(window, { replaced: [[2, text]] });
    expect(JSON.parse(written)).toMatchObject({ contents: [{}, {}, { parts: [response('a', expected)] }] });
    expect(windowOf('gemini', written).parts[2]?.text).toBe(text);
  });

  it('take what is inserted in the model’s role into the content behind it, where calls may not stand alone', () => {
    const window = read([user('Go'), model(call('a')), { role: 'user', parts: [response('a')] }]);
    const inserted = [{ beforeMessage: 1, role: 'assistant', text: 'Earlier.', id: 's' }] as const;
    const written = JSON.parse(rendered(window, { inserted: [...inserted] })) as { contents: unknown[] };
    expect(written.contents[1]).toEqual(model({ text: 'Earlier.' }, call('a')));
    expect(written.contents).toHaveLength(3);
  });

  it('are one where neighbours of one role meet, but words never join responses', () => {
    const answer = { role: 'user', parts: [response('a')] };
    const window = read([user('Go'), model(call('a')), answer, user('On'), model({ text: 'Done.' })]);
    const inserted = [{ beforeMessage: 0, role: 'user', text: 'block', id: 'b' }] as const;
    const written = JSON.parse(rendered(window, { inserted: [...inserted] })) as { contents: unknown[] };
    expect(written.contents).toEqual([
      { role: 'user', parts: [{ text: 'block' }, { text: 'Go' }] },
      model(call('a')),
      answer,
      user('On'),
      model({ text: 'Done.' }),
    ]);
  });

  it('hold the responses of parallel calls in one', () => {
    const answers = [
      { role: 'user', parts: [response('a')] },
      { role: 'user', parts: [response('b')] },
    ];
    const mended = geminiFormat.mended(read([user('Go'), model(call('a'), call('b')), ...answers]));
    expect(geminiFormat.validate(mended)).toEqual([]);
    expect((JSON.parse(mended) as { contents: unknown[] }).contents).toHaveLength(3);
  });

  it('say that a response is an error where it has nothing else', () => {
    const answer = { role: 'user', parts: [response('a', { error: 'Denied' })] };
    expect(read([user('Go'), model(call('a')), answer]).parts[2]?.result?.isError).toBe(true);
  });

  it('name a cache that holds part of the history', () => {
    const source = JSON.stringify({ cachedContent: 'cachedContents/1', contents: [user('Go')] });
    expect(geminiFormat.read(source, DEFAULT_READ_LIMITS)).toMatchObject({
      kind: 'server_held',
      path: '/cachedContent',
    });
  });

  it.each([
    ['a response without a call', [user('Go'), { role: 'user', parts: [response('a')] }], 'TOOL_RESULT_ORPHAN'],
    ['a call without a response', [user('Go'), model(call('a')), user('Go on')], 'TOOL_RESULT_MISSING'],
    ['the model first', [model({ text: 'Hi' })], 'ROLE_INVALID'],
    ['calls behind the model', [user('Go'), model({ text: 'Hi' }), model(call('a'))], 'ROLE_INVALID'],
    ['a content without parts', [{ role: 'user', parts: [] }], 'MESSAGE_EMPTY'],
    ['an unknown role', [user('Go'), { role: 'robot', parts: [{ text: 'Hi' }] }], 'ROLE_INVALID'],
  ])('are refused for %s', (_, contents, code) => {
    expect(problems(contents)).toMatchObject([{ code }]);
  });
});
