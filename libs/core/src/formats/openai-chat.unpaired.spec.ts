import { DEFAULT_READ_LIMITS, openaiChatFormat } from './index';
import { rendered, windowOf } from '../../test/windows';

const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }];
const asking = { role: 'assistant', content: null, tool_calls: calls };
const answer = { role: 'tool', tool_call_id: 'a', content: 'A' };
const user = { role: 'user', content: 'Go' };
const validate = (source: unknown) =>
  openaiChatFormat.validate(JSON.stringify(source)).map(({ code, path }) => [code, path]);

describe('calls and results that stand alone', () => {
  it('refuses to read a result that answers no call', () => {
    const read = openaiChatFormat.read(JSON.stringify([user, answer]), DEFAULT_READ_LIMITS);
    expect(read).toMatchObject({ kind: 'invalid', problems: [{ code: 'TOOL_RESULT_ORPHAN', path: '/1' }] });
  });

  it('accepts a call that may still run', () => {
    expect(validate([user, asking])).toEqual([]);
  });

  it('reads an aborted call and reports it', () => {
    expect(windowOf('openai-chat', [asking, user]).parts.map(({ kind }) => kind)).toEqual(['call', 'text']);
    expect(validate([asking, user])).toEqual([['TOOL_RESULT_MISSING', '/0/tool_calls/0']]);
  });

  it('reports a result that does not stand directly behind its call, and moves it there', () => {
    const source = [user, asking, user, answer];
    expect(validate(source)).toEqual([
      ['TOOL_RESULT_MISSING', '/1/tool_calls/0'],
      ['TOOL_RESULT_ORPHAN', '/3'],
    ]);
    const output = rendered(windowOf('openai-chat', source), {
      inserted: [{ beforeMessage: 3, role: 'assistant', text: 'segment', id: 's' }],
    });
    expect(JSON.parse(output)).toEqual([user, asking, answer, user, { role: 'assistant', content: 'segment' }]);
  });

  it('reports two calls of one message with the same id', () => {
    const twice = { ...asking, tool_calls: [...calls, ...calls] };
    expect(validate([user, twice])).toEqual([['ELEMENT_ID_DUPLICATE', '/1/tool_calls/1']]);
  });

  it('reports roles that the API does not have, and messages that say nothing', () => {
    expect(validate([{ role: 'bot', content: 'x' }])).toEqual([['ROLE_INVALID', '/0/role']]);
    expect(validate([user, { role: 'assistant', content: '' }])).toEqual([['MESSAGE_EMPTY', '/1']]);
  });
});
