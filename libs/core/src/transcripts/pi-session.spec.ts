import { formatOf } from '../formats';
import { MISSING_RESULT_TEXT, readTranscript } from './index';

const HEADER = '{"type":"session","id":"p1","cwd":"/w","provider":"anthropic","modelId":"claude-sonnet-4-5"}';
const message = (value: unknown): string => JSON.stringify({ type: 'message', message: value });
const user = (words: string): string => message({ role: 'user', content: [{ type: 'text', text: words }] });
const assistant = (content: unknown[], more: object = {}): string =>
  message({ role: 'assistant', content, provider: 'anthropic', model: 'claude-sonnet-4-5', ...more });
const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } });
const use = (id: string) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } });
const text = (words: string) => ({ type: 'text', text: words });

function messagesOf(lines: string[]): unknown[] {
  const answer = readTranscript([HEADER, ...lines].join('\n'));
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  const { source, kind, model, sessionHint } = answer.transcript;
  expect(formatOf('anthropic').validate(source)).toEqual([]);
  expect([kind, model, sessionHint]).toEqual(['pi-session', 'claude-sonnet-4-5', 'p1']);
  return (JSON.parse(source) as { messages: unknown[] }).messages;
}

describe('a session of pi', () => {
  it('becomes calls, results and words of Anthropic messages', () => {
    const result = { role: 'toolResult', toolCallId: 'a', toolName: 'bash', content: [text('out')], isError: true };
    expect(
      messagesOf([user('Go'), assistant([text('I look.'), call('a')]), message(result), assistant([text('Done.')])]),
    ).toEqual([
      { role: 'user', content: [text('Go')] },
      { role: 'assistant', content: [text('I look.'), use('a')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: [text('out')] }] },
      { role: 'assistant', content: [text('Done.')] },
    ]);
  });

  it('drops an aborted turn that said nothing, and answers the calls of one that did', () => {
    const lines = [
      user('Go'),
      assistant([], { stopReason: 'aborted' }),
      assistant([call('a')], { stopReason: 'aborted' }),
      user('Again'),
    ];
    expect(messagesOf(lines)).toEqual([
      { role: 'user', content: [text('Go')] },
      { role: 'assistant', content: [use('a')] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: MISSING_RESULT_TEXT }],
      },
      { role: 'user', content: [text('Again')] },
    ]);
  });

  it('reads a command that the person ran as their message', () => {
    expect(messagesOf([message({ role: 'bashExecution', command: 'ls', output: 'a.txt', exitCode: 0 })])).toEqual([
      { role: 'user', content: 'Ran `ls`\n```\na.txt\n```' },
    ]);
  });

  it('keeps reasoning with its signature and leaves out what has none', () => {
    const signed = { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig' };
    const lines = [user('Go'), assistant([signed, { type: 'thinking', thinking: 'No.' }, text('Done.')])];
    expect(messagesOf(lines)[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }, text('Done.')],
    });
  });

  it('goes on from the last compaction with what it kept', () => {
    const kept = JSON.stringify({ type: 'message', id: 'k', message: { role: 'user', content: 'Kept' } });
    const compaction = '{"type":"compaction","summary":"Summary of it","firstKeptEntryId":"k"}';
    expect(messagesOf([user('Old'), kept, compaction, user('New')])).toEqual([
      { role: 'user', content: [text('Summary of it')] },
      { role: 'user', content: [text('Kept')] },
      { role: 'user', content: [text('New')] },
    ]);
  });
});
