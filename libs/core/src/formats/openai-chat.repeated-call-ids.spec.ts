import { windowOf } from '../../test/windows';
import { openaiChatFormat } from './index';

const call = (id: string, tool: string) => ({ id, type: 'function', function: { name: tool, arguments: '{}' } });
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

describe('call ids that repeat in one transcript', () => {
  const source = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: null, tool_calls: [call('c1', 'first'), call('c2', 'second')] },
    result('c2', 'of second'),
    result('c1', 'of first'),
    { role: 'assistant', content: null, tool_calls: [call('c1', 'third')] },
    result('c1', 'of third'),
  ];

  it('pairs each result with the call in whose place it stands', () => {
    const { parts } = windowOf('openai-chat', source);
    const pairs = parts.flatMap((part) =>
      part.result === undefined ? [] : [[parts[part.result.call]?.call?.tool, part.text]],
    );
    expect(pairs).toEqual([
      ['second', 'of second'],
      ['first', 'of first'],
      ['third', 'of third'],
    ]);
  });

  it('is no problem of the window', () => {
    expect(openaiChatFormat.validate(JSON.stringify(source))).toEqual([]);
  });

  it('pairs with the later call when the earlier one was aborted', () => {
    const { parts } = windowOf('openai-chat', [
      { role: 'assistant', content: null, tool_calls: [call('c1', 'aborted')] },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: null, tool_calls: [call('c1', 'again')] },
      result('c1', 'done'),
    ]);
    expect(parts[parts.at(-1)?.result?.call ?? -1]?.call?.tool).toBe('again');
  });
});
