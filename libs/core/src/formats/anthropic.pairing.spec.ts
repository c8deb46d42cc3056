import { rendered, windowOf } from '../../test/windows';
import { anthropicFormat } from './index';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const text = (words: string) => ({ type: 'text', text: words });
const validate = (messages: unknown) =>
  anthropicFormat.validate(JSON.stringify(messages)).map(({ code, path }) => [code, path]);

describe('pairs in an Anthropic window', () => {
  it('accepts results of parallel calls in any order, text behind them, and neighbours of one role', () => {
    expect(
      validate([
        user('Go'),
        assistant([text('I look.'), use('a'), use('b')]),
        user([result('b')]),
        user([result('a'), text('And?')]),
      ]),
    ).toEqual([]);
  });

  it('accepts calls of the last turn without results', () => {
    expect(validate([user('Go'), assistant([use('a')])])).toEqual([]);
  });

  it('reports a call that the next turn does not answer', () => {
    expect(validate([user('Go'), assistant([use('a')]), user('Stop')])).toEqual([
      ['TOOL_RESULT_MISSING', '/1/content/0'],
    ]);
  });

  it('reports a result behind other words', () => {
    expect(validate([user('Go'), assistant([use('a')]), user([text('Here'), result('a')])])).toEqual([
      ['TOOL_RESULT_MISSING', '/1/content/0'],
    ]);
  });

  it('reports a result without a call, also in the first message', () => {
    expect(validate([user([result('z')])])).toEqual([['TOOL_RESULT_ORPHAN', '/0/content/0']]);
    expect(validate([user('Go'), assistant('Yes?'), user([result('z')])])).toEqual([
      ['TOOL_RESULT_ORPHAN', '/2/content/0'],
    ]);
  });

  it('reports a window that begins with the assistant', () => {
    expect(validate([assistant('Hello'), user('Go')])).toEqual([['ROLE_INVALID', '/0']]);
  });

  it('reports blank text, but not of an answer that begins', () => {
    expect(validate([user('Go'), assistant([text(' ')]), user('?')])).toEqual([['MESSAGE_EMPTY', '/1/content/0']]);
    expect(validate([user('Go'), assistant('')])).toEqual([]);
  });

  it('moves a result behind its calls where words stand between, and leaves a joined turn alone', () => {
    const block = { beforeMessage: 0, role: 'user', text: 'block', id: 'b' } as const;
    const moved = [user('Go'), assistant([use('a')]), user('Well?'), user([result('a')])];
    expect(JSON.parse(rendered(windowOf('anthropic', moved), { inserted: [block] }))).toEqual([
      user('block'),
      user('Go'),
      assistant([use('a')]),
      user([result('a')]),
      user('Well?'),
    ]);
    const joined = [user('Go'), assistant([use('a')]), assistant([use('b')]), user([result('a')]), user([result('b')])];
    expect(JSON.parse(rendered(windowOf('anthropic', joined), { inserted: [block] }))).toEqual([
      user('block'),
      ...joined,
    ]);
  });
});
