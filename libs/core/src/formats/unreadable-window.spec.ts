import { anthropicFormat, openaiChatFormat, type ReadLimits } from './index';

const LIMITS: ReadLimits = { maxDepth: 20, maxElements: 3 };
const read = (text: string) => openaiChatFormat.read(text, LIMITS);
const messages = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, () => ({ role: 'user', content: 'x' })));

describe('a source that is no window', () => {
  it.each([
    ['text that is no JSON', '[{"role":', 'WINDOW_NOT_JSON', '/0/role'],
    ['a depth bomb', '['.repeat(100_000), 'WINDOW_TOO_DEEP', '/0'.repeat(20)],
    ['too many messages', messages(4), 'WINDOW_TOO_MANY_ELEMENTS', ''],
    ['an object without messages', '{"model":"m"}', 'WINDOW_WRONG_SHAPE', ''],
    ['messages that are no list', '{"messages":{}}', 'WINDOW_WRONG_SHAPE', '/messages'],
    ['a message that is no object', '["x"]', 'WINDOW_WRONG_SHAPE', '/0'],
  ])('names %s by code and path', (_, text, code, path) => {
    expect(read(text)).toMatchObject({ kind: 'invalid', problems: [{ code, path }] });
  });

  it.each([
    ['previous_response_id', '"resp_1"'],
    ['conversation', '{"id":"conv_1"}'],
    ['context_management', '{"edits":[{"type":"clear_tool_uses_20250919"}]}'],
  ])('says that the server holds history named by %s', (key, value) => {
    const text = `{"messages":[{"role":"user","content":"x"}],"${key}":${value}}`;
    expect(read(text)).toEqual({ kind: 'server_held', path: `/${key}`, evidence: value });
  });

  it('says so of a reference among the messages', () => {
    const text = '[{"type":"item_reference","id":"msg_1"}]';
    expect(read(text)).toEqual({ kind: 'server_held', path: '/0', evidence: text.slice(1, -1) });
  });

  it('reads null in such a field as not said', () => {
    expect(read(`{"messages":${messages(1)},"previous_response_id":null}`).kind).toBe('window');
  });

  it('reads a code execution container, which holds files and no history', () => {
    expect(anthropicFormat.read(`{"messages":${messages(1)},"container":"container_1"}`, LIMITS).kind).toBe('window');
  });
});
