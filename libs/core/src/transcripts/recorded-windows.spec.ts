import { formatOf } from '../formats';
import { MISSING_BEGINNING_TEXT, readTranscript, type Transcript } from './index';

function transcriptOf(document: unknown): Transcript {
  const answer = readTranscript(typeof document === 'string' ? document : JSON.stringify(document));
  if (answer.kind !== 'transcript') throw new Error(answer.reason);
  expect(formatOf(answer.transcript.format).validate(answer.transcript.source)).toEqual([]);
  return answer.transcript;
}

const user = { role: 'user', content: 'Go' };
const beginning = { role: 'user', content: MISSING_BEGINNING_TEXT };

describe('a trace', () => {
  it('shows the longest window of its spans, written as JSON in a string, with the answer behind it', () => {
    const input = [user, { role: 'assistant', content: 'Yes?' }, { role: 'user', content: 'On' }];
    const observations = [
      { type: 'SPAN', input: JSON.stringify({ task: 'x' }), output: 'x' },
      { type: 'GENERATION', input: JSON.stringify([user]), output: 'Yes?' },
      { type: 'GENERATION', input: JSON.stringify(input), output: 'Done.' },
    ];
    const transcript = transcriptOf({ trace: { id: 't1', name: 'Run' }, observations });
    expect(transcript).toMatchObject({ kind: 'trace', format: 'openai-chat', sessionHint: 't1', title: 'Run' });
    expect(JSON.parse(transcript.source)).toEqual([...input, { role: 'assistant', content: 'Done.' }]);
  });

  it('is searched in the JSON that its strings hold', () => {
    const request = { model: 'm', contents: [{ role: 'user', parts: [{ text: 'Go' }] }] };
    const attributes = JSON.stringify({ attributes: { llm_request: JSON.stringify(request) } });
    const transcript = transcriptOf({ trace: {}, observations: [{ type: 'SPAN', metadata: attributes }] });
    expect(transcript).toMatchObject({ format: 'gemini', model: 'm', source: JSON.stringify(request) });
  });

  it('may hold its messages in attributes of OpenTelemetry', () => {
    const value = { stringValue: JSON.stringify([{ type: 'human', content: 'Go' }]) };
    const span = { attributes: [{ key: 'gen_ai.input.messages', value }] };
    const transcript = transcriptOf({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect(transcript).toMatchObject({ format: 'langchain', source: value.stringValue });
  });

  it('without a window is a chat of what went into its spans and came out', () => {
    const observations = [
      { type: 'GENERATION', startTime: '2', input: { prompt: 'Weather?' }, output: 'I look.' },
      { type: 'TOOL', startTime: '3', name: 'weather', input: { city: 'Oslo' }, output: 'sun' },
      { type: 'SPAN', startTime: '1', input: 'x', output: 'y' },
    ];
    expect(JSON.parse(transcriptOf({ trace: {}, observations }).source)).toEqual({
      messages: [
        { role: 'user', content: '{"prompt":"Weather?"}' },
        { role: 'assistant', content: 'I look.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'span_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
        },
        { role: 'tool', tool_call_id: 'span_2', content: 'sun' },
      ],
    });
  });

  it('without a window is none', () => {
    const answer = readTranscript(JSON.stringify({ trace: {}, observations: [{ input: '{"a":1}' }] }));
    expect(answer).toEqual({ kind: 'unreadable', reason: 'No known list of messages' });
  });
});

describe('a record of an API call', () => {
  it.each([
    [
      'bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude/converse',
      { messages: [{ role: 'user', content: [{ text: 'Go' }] }] },
      'bedrock-converse',
    ],
    [
      'generativelanguage.googleapis.com/v1beta/models/g:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'Go' }] }] },
      'gemini',
    ],
    ['api.openai.com/v1/responses', { input: 'Go' }, 'openai-responses'],
    ['api.openai.com/v1/chat/completions', { messages: [user] }, 'openai-chat'],
  ])('%s tells the format', (endpoint, request, format) => {
    expect(transcriptOf({ endpoint, request, response: {} })).toMatchObject({ format, title: 'Go' });
  });

  it.each([
    [{ output: [{ type: 'message', role: 'assistant', content: [] }] }, 'openai-responses'],
    [{ role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }, 'anthropic'],
    [{ choices: [{ message: { role: 'assistant', content: 'Hi' } }] }, 'openai-chat'],
    [{ candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] }, 'gemini'],
  ])('without its request is the end of a window: %j', (response, format) => {
    const answer = readTranscript(JSON.stringify({ request: null, response }));
    expect(answer).toMatchObject({ transcript: { format, repairs: [{ kind: 'beginning_missing' }] } });
  });

  it('of a model without function calling shows the calls before they were written as text', () => {
    const raw = [user, { role: 'assistant', content: null, tool_calls: [] }];
    const document = { messages: [user, { role: 'assistant', content: '<function=x>' }], raw_messages: raw };
    const answer = readTranscript(JSON.stringify(document));
    expect(answer).toMatchObject({ transcript: { format: 'openai-chat', source: JSON.stringify(raw) } });
  });
});

it('answers of Gemini’s command line are the model’s side, with a response for each call', () => {
  const chunk = (...parts: object[]) => ({ candidates: [{ content: { role: 'model', parts } }] });
  const lines = [
    {
      method: 'generateContentStream',
      response: [chunk({ text: 'I ' }), chunk({ functionCall: { name: 'a', args: {} } })],
    },
    { method: 'generateContent', response: chunk({ text: 'Done.' }) },
  ];
  const transcript = transcriptOf(lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(transcript.repairs.map(({ kind }) => kind)).toEqual(['beginning_missing', 'result_missing']);
  expect(JSON.parse(transcript.source)).toMatchObject({
    contents: [
      { role: 'user' },
      { role: 'model', parts: [{ text: 'I ' }, { functionCall: { name: 'a' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'a' } }] },
      { role: 'model', parts: [{ text: 'Done.' }] },
    ],
  });
});

it('the state of a run of OpenAI’s agents is its input and the items that it made', () => {
  const called = { type: 'function_call', callId: 'a', name: 'read', arguments: '{}', providerData: {} };
  const answered = { type: 'function_call_result', callId: 'a', name: 'read', output: { type: 'text', text: 'out' } };
  const state = {
    $schemaVersion: '1.2',
    originalInput: 'Go',
    generatedItems: [
      { type: 'tool_call_item', rawItem: called },
      { type: 'tool_call_output_item', rawItem: answered },
    ],
  };
  expect(JSON.parse(transcriptOf(state).source)).toEqual({
    input: [
      user,
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'out' },
    ],
  });
});

it('a streamed answer of the AI SDK is the message that its chunks make', () => {
  const chunks = [
    { type: 'start' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'H' },
    { type: 'reasoning-delta', id: 'r', delta: 'm.' },
    { type: 'tool-input-available', toolCallId: 'a', toolName: 'map', input: { n: 1 } },
    { type: 'tool-output-available', toolCallId: 'a', output: 'far' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'finish' },
  ];
  const transcript = transcriptOf(chunks);
  expect(transcript).toMatchObject({ kind: 'ui-stream', format: 'ai-sdk' });
  expect(JSON.parse(transcript.source)).toEqual({
    messages: [
      { id: 'beginning', role: 'user', parts: [{ type: 'text', text: beginning.content }] },
      {
        id: 'answer',
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          {
            type: 'dynamic-tool',
            toolName: 'map',
            toolCallId: 'a',
            input: { n: 1 },
            state: 'output-available',
            output: 'far',
          },
          { type: 'text', text: 'Done.' },
        ],
      },
    ],
  });
});
