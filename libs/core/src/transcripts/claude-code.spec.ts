import { windowOf } from '../../test/windows';
import { formatOf } from '../formats';
import { MISSING_BEGINNING_TEXT, MISSING_RESULT_TEXT, readTranscript, type Transcript } from './index';

let lineNumber = 0;
const line = (type: string, message: unknown, more: object = {}): string =>
  JSON.stringify({ type, uuid: `u${String(lineNumber++)}`, sessionId: 's1', isSidechain: false, message, ...more });
const user = (content: unknown, more: object = {}): string => line('user', { role: 'user', content }, more);
const assistant = (id: string, content: unknown[], more: object = {}): string =>
  line('assistant', { id, role: 'assistant', model: 'claude-sonnet-4-5', content, usage: {} }, more);
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
const result = (id: string) => ({ tool_use_id: id, type: 'tool_result', content: `of ${id}` });

function read(lines: string[]): Transcript {
  const answer = readTranscript(lines.join('\n'));
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  expect(formatOf('anthropic').validate(answer.transcript.source)).toEqual([]);
  expect(windowOf('anthropic', answer.transcript.source).model).toBe(answer.transcript.model);
  return answer.transcript;
}
const messagesOf = (lines: string[]): unknown => (JSON.parse(read(lines).source) as { messages: unknown }).messages;

describe('a session of Claude Code', () => {
  it('joins the lines of one message and puts the results of its calls behind it', () => {
    const lines = [
      user('Go'),
      assistant('m1', [text('I look.')]),
      assistant('m1', [use('a')]),
      user([result('a')], { toolUseResult: { stdout: 'again' } }),
      assistant('m1', [use('b')]),
      user([result('b')]),
      assistant('m2', [text('Done.')]),
    ];
    expect(messagesOf(lines)).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [text('I look.'), use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b')] },
      { role: 'assistant', content: [text('Done.')] },
    ]);
  });

  it('may be one document, as its web sessions are', () => {
    const said = { type: 'user', message: { role: 'user', content: 'Go' } };
    const logged = [said, { type: 'assistant', message: { id: 'm1', role: 'assistant', content: [text('Done.')] } }];
    const answer = readTranscript(JSON.stringify({ loglines: logged }));
    const messages = [said.message, { role: 'assistant', content: [text('Done.')] }];
    expect(answer).toMatchObject({ transcript: { kind: 'claude-code', source: JSON.stringify({ messages }) } });
  });

  it('keeps words between two lines of one message in their place', () => {
    const lines = [
      user('Go'),
      assistant('m1', [text('I look.')]),
      user('Wait'),
      assistant('m1', [use('a')]),
      user([result('a')]),
    ];
    expect(messagesOf(lines)).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [text('I look.')] },
      { role: 'user', content: 'Wait' },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a')] },
    ]);
  });

  it('leaves out what is beside the window: summaries, meta lines, side chains, repeated lines', () => {
    const first = user('Go');
    const lines = [
      '{"type":"summary","summary":"Title of the session","leafUuid":"x"}',
      first,
      first,
      user('Caveat', { isMeta: true }),
      user('Task of a sub-agent', { isSidechain: true }),
      '{"type":"file-history-snapshot","snapshot":{}}',
      assistant('m1', [text('Hello')]),
    ];
    expect(messagesOf(lines)).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [text('Hello')] },
    ]);
    expect(read(lines)).toMatchObject({ title: 'Title of the session', sessionHint: 's1', model: 'claude-sonnet-4-5' });
  });

  it('answers an interrupted call with an error that says so', () => {
    const transcript = read([user('Go'), assistant('m1', [use('a'), use('b')]), user([result('b')]), user('Stop')]);
    const { messages } = JSON.parse(transcript.source) as { messages: unknown[] };
    expect(messages[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: MISSING_RESULT_TEXT }, result('b')],
    });
    expect(transcript.repairs).toEqual([{ kind: 'result_missing', subject: 'a' }]);
  });

  it('leaves a call of the last turn in flight', () => {
    const transcript = read([user('Go'), assistant('m1', [use('a')])]);
    expect(transcript.repairs).toEqual([]);
    expect(windowOf('anthropic', transcript.source).parts.map(({ kind }) => kind)).toEqual(['text', 'call']);
  });

  it('goes on from the last compaction', () => {
    const lines = [
      user('Old'),
      assistant('m1', [text('Old answer')]),
      '{"type":"system","subtype":"compact_boundary","uuid":"c1"}',
      user('Summary of it', { isCompactSummary: true }),
      assistant('m2', [text('New')]),
    ];
    expect(messagesOf(lines)).toEqual([
      { role: 'user', content: 'Summary of it' },
      { role: 'assistant', content: [text('New')] },
    ]);
  });

  it('says where the file begins in the middle and where a line is cut', () => {
    const transcript = read([assistant('m1', [text('Hello')]), user('Go'), '{"type":"user","mess']);
    expect(transcript.source).toContain(MISSING_BEGINNING_TEXT);
    expect(transcript.repairs).toEqual([
      { kind: 'beginning_missing', subject: '' },
      { kind: 'line_unreadable', subject: '3' },
    ]);
  });

  it('keeps the source text of blocks', () => {
    const block = '{"type":"tool_use","id":"a","name":"f","input":{"n":9007199254740993,"x":1.0,"b":1,"a":2}}';
    const raw = `{"type":"assistant","uuid":"z1","message":{"id":"m","role":"assistant","content":[${block}]}}`;
    expect(read([user('Go'), raw]).source).toContain(block);
  });
});
