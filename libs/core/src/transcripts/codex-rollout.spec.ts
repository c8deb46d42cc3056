import { formatOf } from '../formats';
import { MISSING_RESULT_TEXT, readTranscript, type Transcript } from './index';

const line = (type: string, payload: object): string => JSON.stringify({ timestamp: 't', type, payload });
const item = (payload: object): string => line('response_item', payload);
const META = line('session_meta', { id: 's1', cwd: '/w', instructions: 'Be kind.' });
const said = (role: 'user' | 'assistant', text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
});
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'shell', arguments: '{"command":["ls"]}' });
const output = (id: string, text: string) => ({ type: 'function_call_output', call_id: id, output: text });

function transcriptOf(...lines: string[]): Transcript {
  const answer = readTranscript(lines.join('\n'));
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  expect(formatOf('openai-responses').validate(answer.transcript.source)).toEqual([]);
  return answer.transcript;
}

const inputOf = (...lines: string[]): unknown =>
  (JSON.parse(transcriptOf(...lines).source) as { input: unknown }).input;

describe('a rollout of Codex', () => {
  it('is the request that its model would see next', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
    const transcript = transcriptOf(
      META,
      line('turn_context', { model: 'gpt-5', cwd: '/w' }),
      line('event_msg', { type: 'user_message', message: 'Go' }),
      item(said('user', '<environment_context/>')),
      item(said('user', 'Go')),
      item(reasoning),
      item(call('a')),
      item(output('a', 'out')),
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      '{"cut',
    );
    expect(transcript).toMatchObject({
      kind: 'codex-rollout',
      format: 'openai-responses',
      model: 'gpt-5',
      sessionHint: 's1',
      title: 'Go',
      repairs: [{ kind: 'line_unreadable', subject: '10' }],
    });
    expect(JSON.parse(transcript.source)).toEqual({
      model: 'gpt-5',
      instructions: 'Be kind.',
      input: [said('user', '<environment_context/>'), said('user', 'Go'), reasoning, call('a'), output('a', 'out')],
    });
  });

  it('may be bare items behind a header', () => {
    const header = JSON.stringify({ id: 's1', timestamp: 't', instructions: null });
    const lines = [header, JSON.stringify({ record_type: 'state' }), JSON.stringify(said('user', 'Go'))];
    expect(inputOf(...lines)).toEqual([said('user', 'Go')]);
  });

  it('goes on from what a compaction kept', () => {
    const kept = [said('user', 'Go'), { type: 'compaction', encrypted_content: 'x' }];
    const compacted = line('compacted', { message: '', replacement_history: kept });
    expect(inputOf(META, item(said('user', 'Go')), item(call('a')), compacted, item(said('user', 'On')))).toEqual([
      ...kept,
      said('user', 'On'),
    ]);
  });

  it('goes on from the user’s messages and the summary where a compaction names nothing else', () => {
    const compacted = line('compacted', { message: 'It looked.' });
    const lines = [META, item(said('user', 'Go')), item(call('a')), item(output('a', 'out')), compacted];
    expect(inputOf(...lines)).toEqual([said('user', 'Go'), said('user', 'It looked.')]);
  });

  it('has an output for each call and a call for each output', () => {
    const transcript = transcriptOf(META, item(call('a')), item(output('b', 'x')), item(said('user', 'On')));
    expect(transcript.repairs).toEqual([
      { kind: 'result_without_call', subject: 'b' },
      { kind: 'result_missing', subject: 'a' },
    ]);
    expect((JSON.parse(transcript.source) as { input: unknown }).input).toEqual([
      call('a'),
      output('a', MISSING_RESULT_TEXT),
      said('user', 'On'),
    ]);
  });

  it('pairs records without call ids in their order', () => {
    const made = { type: 'tool_call', function: { name: 'run' }, arguments: { command: 'ls' } };
    const lines = [
      META,
      item(said('user', 'Go')),
      item(made),
      item({ type: 'tool_result', name: 'run', result: { n: 1 } }),
    ];
    expect(inputOf(...lines)).toEqual([
      said('user', 'Go'),
      { type: 'function_call', call_id: 'call_3', name: 'run', arguments: '{"command":"ls"}' },
      output('call_3', '{"n":1}'),
    ]);
  });
});
