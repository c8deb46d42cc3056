import { partWhere, rendered, windowOf } from '../../test/windows';
import { bedrockConverseFormat } from './index';

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const use = (id: string) => ({ toolUse: { toolUseId: id, name: 'read', input: { path: '/a' } } });
const result = (id: string, ...content: object[]) => ({ toolResult: { toolUseId: id, content, status: 'success' } });
const read = (messages: unknown) => windowOf('bedrock-converse', { messages });
const problems = (messages: unknown) => bedrockConverseFormat.validate(JSON.stringify({ messages }));

describe('the messages of Bedrock’s Converse', () => {
  it('are read block by block', () => {
    const window = windowOf('bedrock-converse', {
      system: [{ text: 'Be kind.' }, { cachePoint: { type: 'default' } }],
      toolConfig: { tools: [{ toolSpec: { name: 'read' } }] },
      messages: [
        user(
          { text: 'Go' },
          { cachePoint: { type: 'default' } },
          { image: { format: 'png', source: { bytes: 'AAAA' } } },
        ),
        assistant({ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }, use('a')),
        user(result('a', { json: { rows: [1.5] } })),
      ],
    });
    expect(window.fixedTexts).toEqual(['Be kind.', '[{"toolSpec":{"name":"read"}}]']);
    expect(window.parts.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'Go'],
      ['opaque', '{"cachePoint":{"type":"default"}}'],
      ['attachment', ''],
      ['reasoning', 'Hm.'],
      ['call', '{"path":"/a"}'],
      ['result', '{"rows":[1.5]}'],
    ]);
  });

  it('say whether a result is an error', () => {
    const failed = { toolResult: { toolUseId: 'a', content: [{ text: 'no' }], status: 'error' } };
    expect(read([user({ text: 'Go' }), assistant(use('a')), user(failed)]).parts[2]?.result?.isError).toBe(true);
  });

  it('take words in place of JSON, and keep pictures beside them', () => {
    const picture = { image: { format: 'png', source: { bytes: 'AAAA' } } };
    const window = read([
      user({ text: 'Go' }),
      assistant(use('a'), use('b')),
      user(result('a', { json: { rows: [] } }), result('b', { text: 'long' }, picture)),
    ]);
    const first = partWhere(window, ({ kind }) => kind === 'result');
    const written = JSON.parse(
      rendered(window, {
        replaced: [
          [first, 'short'],
          [first + 1, 'brief'],
        ],
      }),
    ) as {
      messages: unknown[];
    };
    expect(written.messages[2]).toEqual(user(result('a', { text: 'short' }), result('b', { text: 'brief' }, picture)));
  });

  it('speak in turn: what is inserted, or what meets where calls left, becomes one message', () => {
    const window = read([
      user({ text: 'Go' }),
      assistant(use('a')),
      user(result('a', { text: 'out' })),
      assistant({ text: 'Done.' }),
    ]);
    const inserted = [
      { beforeMessage: 0, role: 'user', text: 'block', id: 'b' },
      { beforeMessage: 1, role: 'assistant', text: 'Earlier.', id: 's' },
    ] as const;
    expect(JSON.parse(rendered(window, { dropped: [1, 2], inserted: [...inserted] }))).toEqual({
      messages: [user({ text: 'block' }, { text: 'Go' }), assistant({ text: 'Earlier.' }, { text: 'Done.' })],
    });
  });

  it.each([
    ['a result without a call', [user(result('a'))], 'TOOL_RESULT_ORPHAN'],
    [
      'a call without a result',
      [user({ text: 'Go' }), assistant(use('a')), user({ text: 'x' })],
      'TOOL_RESULT_MISSING',
    ],
    ['two calls of one id', [user({ text: 'Go' }), assistant(use('a'), use('a'))], 'ELEMENT_ID_DUPLICATE'],
    ['neighbours of one role', [user({ text: 'Go' }), user({ text: 'on' })], 'ROLE_INVALID'],
    ['the assistant first', [assistant({ text: 'Hi' })], 'ROLE_INVALID'],
    ['blank text', [user({ text: ' ' })], 'MESSAGE_EMPTY'],
  ])('are refused for %s', (_, messages, code) => {
    expect(problems(messages)).toMatchObject([{ code }]);
  });
});
