import fc from 'fast-check';
import type { FormatName } from '../src/terms';
import { numberTexts } from './json-texts';

/** Text with everything that encoders get wrong; never blank. */
export const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        '\\u0000',
        '\u0000',
        '\n',
        '\u2028',
        '😀',
        '日本',
        '\ud800',
        '\udc00',
        '<|endoftext|>',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `w${pieces.join('')}`);

/** Members that no format knows; the numbers do not survive a parse into doubles. */
const unknownMembers = fc
  .tuple(numberTexts, fc.boolean())
  .map(([number, some]) => (some ? `,"x_number":${number},"x_object":{"b":1.0,"10":1,"2":1e2,"b":"\\u0041"}` : ''));

const callIds = fc.constantFrom('call_1', 'call_2', 'call_3');
const json = (text: string): string => JSON.stringify(text);

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly result: string;
}

type Turn =
  | { readonly kind: 'user' | 'assistant'; readonly text: string; readonly more: string }
  | {
      readonly kind: 'calls';
      readonly text: string | undefined;
      readonly calls: readonly Call[];
      readonly more: string;
    };

const call: fc.Arbitrary<Call> = fc.record({
  id: callIds,
  tool: fc.constantFrom('read_file', 'write_file'),
  input: fc.tuple(numberTexts, words).map(([number, text]) => `{"n":${number}, "t":${json(text)}}`),
  result: words,
});

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ kind: fc.constantFrom('user' as const, 'assistant' as const), text: words, more: unknownMembers }),
  fc.record({
    kind: fc.constant('calls' as const),
    text: fc.option(words, { nil: undefined }),
    calls: fc.uniqueArray(call, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
    more: unknownMembers,
  }),
);

function openAiMessages(item: Turn): string[] {
  if (item.kind !== 'calls') return [`{"role":"${item.kind}","content":${json(item.text)}${item.more}}`];
  const calls = item.calls.map(
    ({ id, tool, input }) =>
      `{"id":"${id}","type":"function","function":{"name":"${tool}","arguments":${json(input)}}${item.more}}`,
  );
  const content = item.text === undefined ? 'null' : json(item.text);
  const results = item.calls.map(
    ({ id, result }) => `{"role":"tool", "tool_call_id":"${id}", "content":${json(result)}${item.more}}`,
  );
  return [`{"role":"assistant","content":${content},"tool_calls":[${calls.join(', ')}]${item.more}}`, ...results];
}

function anthropicMessages(item: Turn): string[] {
  if (item.kind !== 'calls') {
    return [`{"role":"${item.kind}","content":[{"type":"text","text":${json(item.text)}${item.more}}]${item.more}}`];
  }
  const text = item.text === undefined ? [] : [`{"type":"text","text":${json(item.text)}}`];
  const calls = item.calls.map(
    ({ id, tool, input }) => `{"type":"tool_use","id":"${id}","name":"${tool}","input":${input}${item.more}}`,
  );
  const results = item.calls.map(({ id, result }, index) => {
    const content = index % 2 === 0 ? json(result) : `[{"type":"text","text":${json(result)}${item.more}}]`;
    return `{"type":"tool_result","tool_use_id":"${id}","content":${content}${item.more}}`;
  });
  return [
    `{"role":"assistant","content":[${[...text, ...calls].join(', ')}]${item.more}}`,
    `{"role":"user","content":[${results.join(' ,')}]}`,
  ];
}

function responsesItems(item: Turn): string[] {
  if (item.kind !== 'calls') {
    const type = item.kind === 'user' ? 'input_text' : 'output_text';
    const content = `[{"type":"${type}","text":${json(item.text)}${item.more}}]`;
    return [`{"type":"message","role":"${item.kind}","content":${content}${item.more}}`];
  }
  const words = item.text === undefined ? [] : [`{"role":"assistant","content":${json(item.text)}}`];
  const calls = item.calls.map(
    ({ id, tool, input }) =>
      `{"type":"function_call","call_id":"${id}","name":"${tool}","arguments":${json(input)}${item.more}}`,
  );
  const outputs = item.calls.map(({ id, result }, index) => {
    const output = index % 2 === 0 ? json(result) : `[{"type":"input_text","text":${json(result)}${item.more}}]`;
    return `{"type":"function_call_output", "call_id":"${id}", "output":${output}${item.more}}`;
  });
  return [...words, ...calls, ...outputs];
}

function modelMessages(item: Turn): string[] {
  if (item.kind !== 'calls') {
    return [`{"role":"${item.kind}","content":[{"type":"text","text":${json(item.text)}${item.more}}]${item.more}}`];
  }
  const text = item.text === undefined ? [] : [`{"type":"text","text":${json(item.text)}}`];
  const calls = item.calls.map(
    ({ id, tool, input }) =>
      `{"type":"tool-call","toolCallId":"${id}","toolName":"${tool}","input":${input}${item.more}}`,
  );
  const results = item.calls.map(({ id, tool, result }, index) => {
    const output =
      index % 2 === 0 ? `{"type":"text","value":${json(result)}}` : `{"type":"json","value":{"a":${json(result)}}}`;
    return `{"type":"tool-result","toolCallId":"${id}","toolName":"${tool}","output":${output}${item.more}}`;
  });
  return [
    `{"role":"assistant","content":[${[...text, ...calls].join(', ')}]${item.more}}`,
    `{"role":"tool","content":[${results.join(' ,')}]}`,
  ];
}

function uiMessage(item: Turn, index: number): string {
  const head = `{"id":"m${String(index)}","role":"${item.kind === 'user' ? 'user' : 'assistant'}","parts":`;
  if (item.kind !== 'calls') return `${head}[{"type":"text","text":${json(item.text)}${item.more}}]${item.more}}`;
  const text = item.text === undefined ? [] : [`{"type":"text","text":${json(item.text)}}`];
  const tools = item.calls.map(({ id, tool, input, result }, place) => {
    const output = place % 2 === 0 ? json(result) : `{"a":${json(result)}}`;
    const state = `"toolCallId":"${id}","state":"output-available","input":${input},"output":${output}`;
    return `{"type":"tool-${tool}",${state}${item.more}}`;
  });
  return `${head}[{"type":"step-start"}, ${[...text, ...tools].join(', ')}]}`;
}

const LANGCHAIN_CLASSES = { user: 'HumanMessage', assistant: 'AIMessage', calls: 'AIMessage', tool: 'ToolMessage' };

function langChainMessages(item: Turn): string[] {
  const message = (kind: keyof typeof LANGCHAIN_CLASSES, kwargs: string): string =>
    `{"lc":1,"type":"constructor","id":["langchain","schema","messages","${LANGCHAIN_CLASSES[kind]}"],"kwargs":{${kwargs}}${item.more}}`;
  if (item.kind !== 'calls') return [message(item.kind, `"content":${json(item.text)}${item.more}`)];
  const calls = item.calls.map(({ id, tool, input }) => `{"name":"${tool}","args":${input},"id":"${id}"${item.more}}`);
  const repeated = item.calls.map(({ id, input }) => `{"type":"tool_use","id":"${id}","input":${input}}`);
  const text = item.text === undefined ? [] : [`{"type":"text","text":${json(item.text)}}`];
  const content = [...text, ...repeated].join(', ');
  return [
    message('calls', `"content":[${content}],"tool_calls":[${calls.join(', ')}]`),
    ...item.calls.map(({ id, result }) => message('tool', `"tool_call_id":"${id}","content":${json(result)}`)),
  ];
}

/** A message of parts, before neighbours of one role are joined. */
interface PartMessage {
  readonly role: string;
  readonly parts: readonly string[];
}

function geminiMessages(item: Turn): PartMessage[] {
  const textPart = (text: string): string => `{"text":${json(text)}${item.more}}`;
  if (item.kind !== 'calls') return [{ role: item.kind === 'user' ? 'user' : 'model', parts: [textPart(item.text)] }];
  const calls = item.calls.map(
    ({ id, tool, input }) => `{"functionCall":{"id":"${id}","name":"${tool}","args":${input}${item.more}}}`,
  );
  const responses = item.calls.map(({ id, tool, result }, index) => {
    const response = index % 2 === 0 ? `{"output":${json(result)}}` : `{"a":${json(result)},"n":1.0}`;
    return `{"functionResponse":{"id":"${id}","name":"${tool}","response":${response}${item.more}}}`;
  });
  return [
    { role: 'model', parts: [...(item.text === undefined ? [] : [textPart(item.text)]), ...calls] },
    { role: 'user', parts: responses },
  ];
}

function bedrockMessages(item: Turn): PartMessage[] {
  const textPart = (text: string): string => `{"text":${json(text)}${item.more}}`;
  if (item.kind !== 'calls') return [{ role: item.kind, parts: [textPart(item.text)] }];
  const calls = item.calls.map(
    ({ id, tool, input }) => `{"toolUse":{"toolUseId":"${id}","name":"${tool}","input":${input}${item.more}}}`,
  );
  const results = item.calls.map(({ id, result }, index) => {
    const block = index % 2 === 0 ? `{"text":${json(result)}}` : `{"json":{"a":${json(result)},"n":1.0}}`;
    return `{"toolResult":{"toolUseId":"${id}","content":[ ${block} ]${item.more}}}`;
  });
  return [
    { role: 'assistant', parts: [...(item.text === undefined ? [] : [textPart(item.text)]), ...calls] },
    { role: 'user', parts: results },
  ];
}

/** Messages with neighbours of one of the roles as one, serialized. */
function joined(messages: readonly PartMessage[], roles: readonly string[], listKey: string): string[] {
  const runs: { readonly role: string; readonly parts: string[] }[] = [];
  for (const { role, parts } of messages) {
    const last = runs.at(-1);
    if (last?.role === role && roles.includes(role)) last.parts.push(...parts);
    else runs.push({ role, parts: [...parts] });
  }
  return runs.map(({ role, parts }) => `{"role":"${role}", "${listKey}":[${parts.join(' ,')}]}`);
}

function elements(item: Turn, index: number): string[] {
  const text = item.kind === 'calls' ? (item.text ?? '') : item.text;
  const flags = item.kind === 'calls' ? ',"regenerable":true,"idempotent":null' : ',"task_critical":false';
  return [`{"id":"e${String(index)}","role":"assistant","content":${json(text)}${flags}${item.more}}`];
}

interface FormatWriter {
  /** The member of a request that holds the list. */
  readonly listKey: string;
  list(turns: readonly Turn[]): string[];
}

const WRITERS: Readonly<Record<FormatName, FormatWriter>> = {
  elements: { listKey: 'elements', list: (turns) => turns.flatMap(elements) },
  'openai-chat': { listKey: 'messages', list: (turns) => turns.flatMap(openAiMessages) },
  'openai-responses': { listKey: 'input', list: (turns) => turns.flatMap(responsesItems) },
  anthropic: { listKey: 'messages', list: (turns) => turns.flatMap(anthropicMessages) },
  'ai-sdk': {
    listKey: 'messages',
    list: (turns) => (turns.length % 2 === 0 ? turns.map(uiMessage) : turns.flatMap(modelMessages)),
  },
  langchain: { listKey: 'messages', list: (turns) => turns.flatMap(langChainMessages) },
  gemini: { listKey: 'contents', list: (turns) => joined(turns.flatMap(geminiMessages), ['model'], 'parts') },
  'bedrock-converse': {
    listKey: 'messages',
    list: (turns) => joined(turns.flatMap(bedrockMessages), ['user', 'assistant'], 'content'),
  },
};

/** The member of a request that holds the list of messages. */
export function listKeyOf(format: FormatName): string {
  return WRITERS[format].listKey;
}

/** The source of a window of that format that its provider accepts; a user's message comes first. */
export function arbitrarySource(format: FormatName): fc.Arbitrary<string> {
  const { list: write, listKey } = WRITERS[format];
  const separator = fc.constantFrom(',', ', ', ' ,\n  ');
  return fc
    .tuple(fc.array(turn, { maxLength: 8 }), words, separator, fc.boolean())
    .map(([turns, first, gap, isRequest]) => {
      const all: Turn[] = [{ kind: 'user', text: first, more: '' }, ...turns];
      const list = `[ ${write(all).join(gap)} ]`;
      return isRequest ? `{"model": "m-1", "${listKey}": ${list}, "tools":[{"n":1.0}], "temperature":1.0}` : list;
    });
}

const strange = fc.jsonValue({ maxDepth: 1, depthSize: 'xsmall' });
const toolMembers = fc.record(
  {
    id: strange,
    name: strange,
    args: strange,
    toolUseId: fc.constant('a'),
    input: strange,
    content: strange,
    response: strange,
  },
  { requiredKeys: [] },
);
const strangeBlock = fc.record(
  {
    type: fc.constantFrom(
      ...['text', 'tool_use', 'tool_result', 'image', 'document', 'image_url', 'file', 'thinking', 'input_text'],
      ...['tool-call', 'tool-result', 'tool-map', 'dynamic-tool', 'tool-invocation', 'reasoning', 'step-start'],
    ),
    text: strange,
    id: strange,
    tool_use_id: fc.constant('a'),
    toolCallId: fc.constant('a'),
    state: fc.constantFrom('input-available', 'output-available', 'output-error', 'output-denied', 'result'),
    output: fc.oneof(strange, fc.record({ type: fc.constantFrom('json', 'content', 'text'), value: strange })),
    toolInvocation: strange,
    source: strange,
    content: strange,
    thoughtSignature: strange,
    functionCall: toolMembers,
    functionResponse: toolMembers,
    toolUse: toolMembers,
    toolResult: toolMembers,
  },
  { requiredKeys: [] },
);
const strangeMembers = {
  id: strange,
  role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'function', 'model', 7),
  content: fc.oneof(strange, fc.array(strangeBlock, { maxLength: 3 })),
  tool_calls: fc.oneof(
    strange,
    fc.array(fc.record({ id: strange, function: strange, args: strange }), { maxLength: 2 }),
  ),
  tool_call_id: strange,
};

/** Lists of what looks like messages of some format, with anything in every member, and any other JSON. */
export const arbitraryMessages = fc.oneof(
  strange,
  fc.array(
    fc.record(
      {
        ...strangeMembers,
        type: fc.constantFrom(
          'message',
          'function_call',
          'function_call_output',
          'reasoning',
          'human',
          'constructor',
          7,
        ),
        function_call: strange,
        call_id: fc.constantFrom('a', 'b'),
        arguments: strange,
        output: strange,
        summary: strange,
        parts: fc.oneof(strange, fc.array(strangeBlock, { maxLength: 3 })),
        kwargs: fc.oneof(strange, fc.record(strangeMembers, { requiredKeys: [] })),
        data: strange,
      },
      { requiredKeys: [] },
    ),
    { maxLength: 5 },
  ),
);
