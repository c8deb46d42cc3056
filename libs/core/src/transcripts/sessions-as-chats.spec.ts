import { formatOf } from '../formats';
import { MISSING_RESULT_TEXT, readTranscript, type Transcript } from './index';

function transcriptOf(text: string): Transcript {
  const answer = readTranscript(text);
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  expect(formatOf(answer.transcript.format).validate(answer.transcript.source)).toEqual([]);
  return answer.transcript;
}

const messagesOf = (document: unknown): unknown[] =>
  (JSON.parse(transcriptOf(JSON.stringify(document)).source) as { messages: unknown[] }).messages;
const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const calling = (content: string | null, ...calls: object[]) => ({ role: 'assistant', content, tool_calls: calls });
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

describe('a trajectory of SWE-agent', () => {
  const agent = 'main';
  const system = { role: 'system', content: 'You code.', agent };
  const issue = { role: 'user', content: 'The issue.', agent };

  it('makes a call of each action, and its result of the message behind it', () => {
    const action = {
      role: 'assistant',
      content: 'Look.\n```\nls -a\n```',
      thought: 'Look.\n',
      action: 'ls -a\n',
      agent,
    };
    const history = [
      system,
      issue,
      action,
      { role: 'user', content: 'main.py', agent },
      { ...action, action: 'submit' },
    ];
    expect(messagesOf({ history, trajectory: [] })).toEqual([
      { role: 'system', content: 'You code.' },
      { role: 'user', content: 'The issue.' },
      calling('Look.\n', call('action_2', 'shell', { command: 'ls -a\n' })),
      result('action_2', 'main.py'),
      calling('Look.\n', call('action_4', 'shell', { command: 'submit' })),
    ]);
  });

  it('keeps the calls that the model made itself', () => {
    const made = call('c1', 'open', { path: 'a.py' });
    const action = { role: 'assistant', content: 'Open.', action: 'open a.py', agent, tool_calls: [made] };
    const observation = { role: 'tool', content: '1: x', agent, tool_call_ids: ['c1'] };
    expect(messagesOf({ history: [issue, action, observation] })).toEqual([
      { role: 'user', content: 'The issue.' },
      calling('Open.', made),
      result('c1', '1: x'),
    ]);
  });
});

it('a trajectory of mini-SWE-agent makes a call of each command block', () => {
  const command = { role: 'assistant', content: 'I look.\n\n```mswea_bash_command\nls -la\n```' };
  const output = { role: 'user', content: '<returncode>0</returncode>\n<output>\na\n</output>' };
  expect(messagesOf([{ role: 'user', content: 'Solve it.' }, command, output])).toEqual([
    { role: 'user', content: 'Solve it.' },
    calling('I look.', call('action_1', 'bash', { command: 'ls -la' })),
    result('action_1', output.content),
  ]);
});

it('a task of InterCode makes calls of actions and results of observations', () => {
  const history = { actions: ['SHOW TABLES', 'SELECT 1'], observations: ['shop', [[1]]] };
  const transcript = transcriptOf(
    JSON.stringify({ environment: 'ic_sql', task_id: 7, query: 'List.', turn_history: history }),
  );
  expect(transcript).toMatchObject({ kind: 'intercode', sessionHint: 'ic_sql-7', title: 'List.' });
  expect((JSON.parse(transcript.source) as { messages: unknown[] }).messages).toEqual([
    { role: 'user', content: 'List.' },
    calling(null, call('action_0', 'execute', { command: 'SHOW TABLES' })),
    result('action_0', 'shop'),
    calling(null, call('action_1', 'execute', { command: 'SELECT 1' })),
    result('action_1', '[[1]]'),
  ]);
});

describe('the events of OpenHands', () => {
  const said = (id: number, source: string, content: string) => ({ id, source, action: 'message', args: { content } });
  const metadata = (response: string, ids: string[], id: string) => ({
    tool_call_id: id,
    function_name: 'execute_bash',
    model_response: {
      id: response,
      model: 'm-1',
      choices: [
        {
          message: { content: 'I look.', tool_calls: ids.map((each) => call(each, 'execute_bash', { command: each })) },
        },
      ],
    },
  });
  const run = (id: number, response: string, ids: string[], own: string) => ({
    id,
    source: 'agent',
    action: 'run',
    args: { command: own, thought: '' },
    tool_call_metadata: metadata(response, ids, own),
  });
  const ran = (id: number, cause: number, own: string) => ({
    id,
    source: 'agent',
    observation: 'run',
    cause,
    content: `out of ${own}`,
    tool_call_metadata: metadata('r1', [own], own),
  });

  it('are the calls that the model wrote, parallel ones in one message, with their observations', () => {
    const tools = [{ type: 'function', function: { name: 'execute_bash' } }];
    const events = [
      { id: 0, source: 'agent', action: 'system', args: { content: 'You are OpenHands.', tools } },
      said(1, 'user', 'Go'),
      { id: 2, source: 'environment', observation: 'agent_state_changed', content: '', extras: {} },
      run(3, 'r1', ['a', 'b'], 'a'),
      run(4, 'r1', ['a', 'b'], 'b'),
      ran(5, 3, 'a'),
      ran(6, 4, 'b'),
      { id: 7, source: 'agent', action: 'finish', args: { final_thought: 'Done.' } },
    ];
    const transcript = transcriptOf(JSON.stringify({ instance_id: 'x', history: events }));
    expect(transcript).toMatchObject({ kind: 'openhands', model: 'm-1', title: 'Go' });
    expect(JSON.parse(transcript.source)).toEqual({
      model: 'm-1',
      messages: [
        { role: 'system', content: 'You are OpenHands.' },
        { role: 'user', content: 'Go' },
        calling('I look.', call('a', 'execute_bash', { command: 'a' }), call('b', 'execute_bash', { command: 'b' })),
        result('a', 'out of a'),
        result('b', 'out of b'),
        { role: 'assistant', content: 'Done.' },
      ],
      tools,
    });
  });

  it('leave out what a condensation forgot, and say what stands there', () => {
    const condensation = {
      id: 4,
      source: 'agent',
      action: 'condensation',
      args: { forgotten_events_start_id: 2, forgotten_events_end_id: 3, summary: 'It looked.' },
    };
    const events = [
      said(1, 'user', 'Go'),
      run(2, 'r1', ['a'], 'a'),
      ran(3, 2, 'a'),
      condensation,
      said(5, 'user', 'On'),
    ];
    expect(messagesOf(events)).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'user', content: 'It looked.', synthetic: true },
      { role: 'user', content: 'On' },
    ]);
  });

  it('answer a call that was interrupted, and say so', () => {
    const text = JSON.stringify([said(1, 'user', 'Go'), run(2, 'r1', ['a'], 'a'), said(3, 'user', 'Stop')]);
    const transcript = transcriptOf(text);
    expect(transcript.repairs).toEqual([{ kind: 'result_missing', subject: 'a' }]);
    expect(transcript.source).toContain(JSON.stringify(MISSING_RESULT_TEXT));
  });
});

it('the events of OpenHands’ agent SDK are its messages, calls and observations', () => {
  const block = (text: string) => ({ type: 'text', text });
  const action = (id: string) => ({
    kind: 'ActionEvent',
    id: `e${id}`,
    source: 'agent',
    thought: [block('I look.')],
    tool_name: 'terminal',
    tool_call_id: id,
    tool_call: { id, name: 'terminal', arguments: '{"command":"ls"}' },
    llm_response_id: 'r1',
  });
  const events = [
    { kind: 'SystemPromptEvent', id: 's', source: 'agent', system_prompt: block('You are OpenHands.'), tools: [] },
    { kind: 'MessageEvent', id: 'u', source: 'user', llm_message: { role: 'user', content: [block('Go')] } },
    action('a'),
    action('b'),
    {
      kind: 'ObservationEvent',
      id: 'o',
      source: 'environment',
      tool_call_id: 'a',
      observation: { content: [block('x')] },
    },
    { kind: 'AgentErrorEvent', id: 'p', source: 'agent', tool_call_id: 'b', error: 'No such tool' },
  ];
  expect(messagesOf(events)).toEqual([
    { role: 'system', content: 'You are OpenHands.' },
    { role: 'user', content: 'Go' },
    calling('I look.', call('a', 'terminal', { command: 'ls' }), call('b', 'terminal', { command: 'ls' })),
    result('a', 'x'),
    result('b', 'No such tool'),
  ]);
});
