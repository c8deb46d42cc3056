import { formatOf } from '../formats';
import { readTranscript, readTranscripts, type Transcript } from './index';

function transcriptOf(text: string): Transcript {
  const answer = readTranscript(text);
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  expect(formatOf(answer.transcript.format).validate(answer.transcript.source)).toEqual([]);
  return answer.transcript;
}

const messagesOf = (text: string): unknown[] =>
  (JSON.parse(transcriptOf(text).source) as { messages: unknown[] }).messages;

const call = (id: string, name: string, args: object): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** What each of the spans below shows. */
const CHAT = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How warm is it in Oslo?' },
  { role: 'assistant', content: null, tool_calls: [call('c1', 'get_weather', { city: 'Oslo' })] },
  { role: 'tool', tool_call_id: 'c1', content: '4 degrees' },
  { role: 'assistant', content: 'It is 4 degrees.' },
];

const OPEN_INFERENCE = {
  'llm.model_name': 'gpt-4.1',
  'session.id': 's-1',
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'Be brief.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.contents.0.message_content.type': 'text',
  'llm.input_messages.1.message.contents.0.message_content.text': 'How warm is it in Oslo?',
  'llm.input_messages.2.message.role': 'assistant',
  'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'get_weather',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"city":"Oslo"}',
  'llm.input_messages.3.message.role': 'tool',
  'llm.input_messages.3.message.tool_call_id': 'c1',
  'llm.input_messages.3.message.content': '4 degrees',
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': 'It is 4 degrees.',
};

const GEN_AI_INPUT = [
  { role: 'user', parts: [{ type: 'text', content: 'How warm is it in Oslo?' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '4 degrees' }] },
];
const GEN_AI = {
  'gen_ai.request.model': 'gpt-4.1',
  'gen_ai.conversation.id': 's-1',
  'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
  'gen_ai.input.messages': JSON.stringify(GEN_AI_INPUT),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'It is 4 degrees.' }], finish_reason: 'stop' },
  ]),
};

const span = (attributes: object, more: object = {}): object => ({
  name: 'chat',
  traceId: 't',
  spanId: 'a',
  attributes,
  ...more,
});
const otlp = (attributes: object): object[] =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue: stringValue as string } }));
const inBatch = (...spans: object[]): object => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

/** The same as objects within objects. */
function nested(attributes: Readonly<Record<string, unknown>>): object {
  const root: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const keys = name.split('.');
    let holder = root;
    keys.slice(0, -1).forEach((key) => {
      holder = (holder[key] ??= {}) as Record<string, unknown>;
    });
    holder[keys.at(-1) ?? ''] = value;
  }
  return root;
}

const event = (name: string, body: object): object => ({ name, timeUnixNano: '1', attributes: {}, body });
const EVENTS = [
  event('gen_ai.system.message', { content: 'Be brief.' }),
  event('gen_ai.user.message', { content: 'How warm is it in Oslo?' }),
  event('gen_ai.assistant.message', { tool_calls: [call('c1', 'get_weather', { city: 'Oslo' })] }),
  event('gen_ai.tool.message', { id: 'c1', content: '4 degrees' }),
  event('gen_ai.choice', { index: 0, message: { content: 'It is 4 degrees.' }, finish_reason: 'stop' }),
];

const OPEN_LLMETRY = {
  'gen_ai.prompt.0.role': 'system',
  'gen_ai.prompt.0.content': 'Be brief.',
  'gen_ai.prompt.1.role': 'user',
  'gen_ai.prompt.1.content': 'How warm is it in Oslo?',
  'gen_ai.prompt.2.role': 'assistant',
  'gen_ai.prompt.2.tool_calls.0.id': 'c1',
  'gen_ai.prompt.2.tool_calls.0.name': 'get_weather',
  'gen_ai.prompt.2.tool_calls.0.arguments': '{"city":"Oslo"}',
  'gen_ai.prompt.3.role': 'tool',
  'gen_ai.prompt.3.tool_call_id': 'c1',
  'gen_ai.prompt.3.content': '4 degrees',
  'gen_ai.completion.0.role': 'assistant',
  'gen_ai.completion.0.content': 'It is 4 degrees.',
};

describe('a conversation in spans', () => {
  const earlier = span({ 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'Hi' });

  it.each<[string, unknown]>([
    ['OpenInference, a list of spans', [earlier, span(OPEN_INFERENCE)]],
    ['OpenInference, objects within objects', [span(nested(OPEN_INFERENCE))]],
    ['OpenInference, as OTLP writes it', inBatch(earlier, span(otlp(OPEN_INFERENCE)))],
    ['OpenTelemetry, as OTLP writes it', inBatch(span(otlp(GEN_AI)))],
    ['OpenTelemetry, structured', [span({ ...GEN_AI, 'gen_ai.input.messages': GEN_AI_INPUT })]],
    ['OpenTelemetry, on an event of the span', [span({}, { events: [{ name: 'details', attributes: GEN_AI }] })]],
    ['OpenTelemetry, an event a message', [span({}, { events: EVENTS })]],
    ['OpenLLMetry', { spans: [span(OPEN_LLMETRY)] }],
  ])('is the chat that the model had: %s', (_, document) => {
    expect(messagesOf(JSON.stringify(document))).toEqual(CHAT);
  });

  it('may stand in lines, one span or one batch each', () => {
    const lines = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
    expect(messagesOf(lines(earlier, span(GEN_AI)))).toEqual(CHAT);
    expect(messagesOf(lines(inBatch(earlier), inBatch(span(otlp(OPEN_INFERENCE)))))).toEqual(CHAT);
  });

  it('names its model and its session', () => {
    const { kind, model, sessionHint, title } = transcriptOf(JSON.stringify([span(OPEN_INFERENCE)]));
    expect({ kind, model, sessionHint, title }).toEqual({
      kind: 'trace',
      model: 'gpt-4.1',
      sessionHint: 's-1',
      title: 'How warm is it in Oslo?',
    });
  });
});

describe('results of tau2-bench', () => {
  const simulation = (trial: number, ...messages: object[]): object => ({ id: 'x', task_id: '7', trial, messages });
  const long = simulation(
    1,
    { role: 'assistant', content: 'How can I help?', tool_calls: null, turn_idx: 0 },
    { role: 'user', content: 'My phone is offline.', tool_calls: null, turn_idx: 1 },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', name: 'get_line', arguments: { id: 'L1' }, requestor: 'assistant' }],
      turn_idx: 2,
    },
    { role: 'tool', id: 'c1', content: '{"status":"active"}', requestor: 'assistant', error: false, turn_idx: 3 },
    { role: 'user', content: null, tool_calls: [{ id: 'u1', name: 'toggle', arguments: {}, requestor: 'user' }] },
    { role: 'tool', id: 'u1', content: 'on', requestor: 'user', error: false },
    { role: 'user', content: 'It works now.', turn_idx: 6 },
  );

  it('are the longest simulation as the agent saw it, behind the policy', () => {
    const short = simulation(0, { role: 'user', content: 'Hi', turn_idx: 0 });
    const info = { environment_info: { policy: 'Be kind.' } };
    const text = JSON.stringify({ info, tasks: [], simulations: [short, long] });
    expect(messagesOf(text)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'assistant', content: 'How can I help?' },
      { role: 'user', content: 'My phone is offline.' },
      { role: 'assistant', content: null, tool_calls: [call('c1', 'get_line', { id: 'L1' })] },
      { role: 'tool', tool_call_id: 'c1', content: '{"status":"active"}' },
      { role: 'user', content: 'It works now.' },
    ]);
    expect(transcriptOf(text)).toMatchObject({ kind: 'tau-bench', sessionHint: 'tau2-bench-7-1' });
  });

  it('may be one simulation by itself', () => {
    expect(messagesOf(JSON.stringify(long))).toHaveLength(5);
  });
});

describe('a trajectory of mini-SWE-agent whose model calls tools', () => {
  const of = (...messages: object[]): string =>
    JSON.stringify({ info: { mini_version: '2.0.0' }, messages, trajectory_format: 'mini-swe-agent-1.1' });
  const bash = call('c1', 'bash', { command: 'ls' });
  const ended = { role: 'exit', content: 'diff', extra: { exit_status: 'Submitted' } };
  const expected = [
    { role: 'user', content: 'Fix it.' },
    { role: 'assistant', content: 'I look.', tool_calls: [bash] },
    { role: 'tool', tool_call_id: 'c1', content: 'a.py' },
  ];

  it('is its chat without what the agent noted beside it', () => {
    const extra = { timestamp: 1 };
    const noted = expected.map((message) => ({ ...message, extra }));
    expect(messagesOf(of(...noted, ended))).toEqual(expected);
  });

  it('is the same where it talked to the Responses API', () => {
    const answer = {
      object: 'response',
      output: [
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{"command":"ls"}' },
      ],
      extra: {},
    };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'a.py' };
    expect(messagesOf(of({ role: 'user', content: 'Fix it.' }, answer, output, ended))).toEqual(expected);
  });
});

describe('several sessions in one file', () => {
  const row = (id: number, ...words: string[]): object => ({
    task_id: id,
    traj: words.map((content) => ({ role: 'user', content })),
  });
  const text = [row(1, 'Hi'), row(2, 'Hello', 'Are you there?')].map((one) => JSON.stringify(one)).join('\n');

  it('are each read', () => {
    const hints = readTranscripts(text).map((one) => (one.kind === 'transcript' ? one.transcript.sessionHint : ''));
    expect(hints).toEqual(['tau-bench-1-0', 'tau-bench-2-0']);
  });

  it('are the longest where one is asked for', () => {
    expect(transcriptOf(text).sessionHint).toBe('tau-bench-2-0');
  });

  it('are one where the file is a log', () => {
    expect(readTranscripts('[{"role":"user","content":"Hi"}]')).toHaveLength(1);
  });
});
