import fc from 'fast-check';
import type { FormatName } from '../src/terms';

/** A conversation as its parts, before it is written in one of the formats. */
export type Turn =
  | { readonly kind: 'human'; readonly text: string }
  | { readonly kind: 'model'; readonly text: string }
  | {
      readonly kind: 'calls';
      readonly calls: readonly { readonly tool: string; readonly argument: string; readonly result: string }[];
    };

const word = fc.constantFrom(
  'order',
  'W8827341',
  '118000',
  '/srv/app/config/prod.yaml',
  'because the lock was stale',
  '\u0000',
  '数据',
  '👍',
  '\n',
  'never touch prod',
  '"quoted"',
);
const prose = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => `t ${words.join(' ')}.`);
const listing = fc
  .tuple(fc.integer({ min: 1, max: 12 }), word, fc.boolean())
  .map(([count, name, json]) =>
    json
      ? JSON.stringify(Array.from({ length: count }, (_, id) => ({ id: `item_${id}`, name, note: 'n'.repeat(60) })))
      : Array.from({ length: count }, (_, line) => `${line} ${name} ${'x'.repeat(40)}`).join('\n'),
  );

const call = fc.record({
  tool: fc.constantFrom('get_order', 'list_files', 'refund_order', 'notify'),
  argument: fc.constantFrom('W8827341', 'W1', '/srv/app/config/prod.yaml'),
  result: fc.oneof(listing, fc.constantFrom('ok', 'Error: not found')),
});

export const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('human' as const), text: prose }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('model' as const), text: prose }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('calls' as const),
        calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 12 },
);

type CallsTurn = Extract<Turn, { kind: 'calls' }>;

/** How a provider's request is written. */
interface SessionWriter {
  readonly listKey: string;
  /** Roles of which the API takes no two neighbours, and the member of the parts that they then share. */
  readonly joined?: { readonly roles: readonly string[]; readonly key: string };
  readonly envelope: object;
  readonly opening: readonly object[];
  words(role: 'user' | 'assistant', text: string): object;
  calls(made: CallsTurn['calls'], id: (index: number) => string): readonly object[];
}

const WRITERS = {
  'openai-chat': {
    listKey: 'messages',
    envelope: { model: 'gpt-4.1', temperature: 0.5 },
    opening: [
      { role: 'system', content: 'You are a careful agent.' },
      { role: 'user', content: 'Begin.', x_number: 1 },
    ],
    words: (role, text) => ({ role, content: text }),
    calls: (calls, id) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map((made, index) => ({
          id: id(index),
          type: 'function',
          function: { name: made.tool, arguments: JSON.stringify({ id: made.argument }) },
        })),
      },
      ...calls.map((made, index) => ({ role: 'tool', tool_call_id: id(index), content: made.result })),
    ],
  },
  'openai-responses': {
    listKey: 'input',
    envelope: { model: 'gpt-5', instructions: 'You are a careful agent.' },
    opening: [{ role: 'user', content: 'Begin.' }],
    words: (role, text) => ({ type: 'message', role, content: text }),
    calls: (calls, id) => [
      { type: 'reasoning', id: `rs_${id(0)}`, summary: [], encrypted_content: 'gAAAAAbbbb' },
      ...calls.map((made, index) => ({
        type: 'function_call',
        call_id: id(index),
        name: made.tool,
        arguments: JSON.stringify({ id: made.argument }),
      })),
      ...calls.map((made, index) => ({ type: 'function_call_output', call_id: id(index), output: made.result })),
    ],
  },
  anthropic: {
    listKey: 'messages',
    envelope: { model: 'claude', max_tokens: 5, system: 'You are a careful agent.' },
    opening: [{ role: 'user', content: 'Begin.' }],
    words: (role, text) => ({ role, content: [{ type: 'text', text }] }),
    calls: (calls, id) => [
      {
        role: 'assistant',
        content: calls.map((made, index) => ({
          type: 'tool_use',
          id: id(index),
          name: made.tool,
          input: { id: made.argument },
        })),
      },
      {
        role: 'user',
        content: calls.map((made, index) => ({ type: 'tool_result', tool_use_id: id(index), content: made.result })),
      },
    ],
  },
  'ai-sdk': {
    listKey: 'messages',
    envelope: { system: 'You are a careful agent.' },
    opening: [{ role: 'user', content: 'Begin.' }],
    words: (role, text) => ({ role, content: [{ type: 'text', text }] }),
    calls: (calls, id) => [
      {
        role: 'assistant',
        content: calls.map((made, index) => ({
          type: 'tool-call',
          toolCallId: id(index),
          toolName: made.tool,
          input: { id: made.argument },
        })),
      },
      {
        role: 'tool',
        content: calls.map((made, index) => ({
          type: 'tool-result',
          toolCallId: id(index),
          toolName: made.tool,
          output: made.result.startsWith('[')
            ? { type: 'json', value: JSON.parse(made.result) as unknown }
            : { type: 'text', value: made.result },
        })),
      },
    ],
  },
  langchain: {
    listKey: 'messages',
    envelope: { configurable: { thread_id: 't1' } },
    opening: [
      { type: 'system', content: 'You are a careful agent.' },
      { type: 'human', content: 'Begin.' },
    ],
    words: (role, text) => ({ type: role === 'user' ? 'human' : 'ai', content: text }),
    calls: (calls, id) => [
      {
        type: 'ai',
        content: '',
        tool_calls: calls.map((made, index) => ({ name: made.tool, args: { id: made.argument }, id: id(index) })),
      },
      ...calls.map((made, index) => ({
        type: 'tool',
        tool_call_id: id(index),
        content: made.result,
        status: 'success',
      })),
    ],
  },
  gemini: {
    listKey: 'contents',
    joined: { roles: ['user', 'model'], key: 'parts' },
    envelope: { systemInstruction: { parts: [{ text: 'You are a careful agent.' }] } },
    opening: [{ role: 'user', parts: [{ text: 'Begin.' }] }],
    words: (role, text) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text }] }),
    calls: (calls, id) => [
      {
        role: 'model',
        parts: calls.map((made, index) => ({
          functionCall: { id: id(index), name: made.tool, args: { id: made.argument } },
          ...(index === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}),
        })),
      },
      {
        role: 'user',
        parts: calls.map((made, index) => ({
          functionResponse: { id: id(index), name: made.tool, response: { output: made.result } },
        })),
      },
    ],
  },
  'bedrock-converse': {
    listKey: 'messages',
    joined: { roles: ['user', 'assistant'], key: 'content' },
    envelope: { system: [{ text: 'You are a careful agent.' }], inferenceConfig: {} },
    opening: [{ role: 'user', content: [{ text: 'Begin.' }] }],
    words: (role, text) => ({ role, content: [{ text }] }),
    calls: (calls, id) => [
      {
        role: 'assistant',
        content: calls.map((made, index) => ({
          toolUse: { toolUseId: id(index), name: made.tool, input: { id: made.argument } },
        })),
      },
      {
        role: 'user',
        content: calls.map((made, index) => ({
          toolResult: { toolUseId: id(index), content: [{ text: made.result }], status: 'success' },
        })),
      },
    ],
  },
} satisfies Partial<Record<FormatName, SessionWriter>>;

export type ProviderFormat = keyof typeof WRITERS;
export const PROVIDER_FORMATS = Object.keys(WRITERS) as ProviderFormat[];

/** Writes a conversation in a provider's format; call ids count on from the turn's place, so appending keeps them. */
export function writeWindow(format: ProviderFormat, conversation: readonly Turn[]): string {
  const writer: SessionWriter = WRITERS[format];
  const list = joinedMessages(writer, [...writer.opening, ...writeTurns(writer, conversation)]);
  return JSON.stringify({ ...writer.envelope, [writer.listKey]: list });
}

/** Messages of more turns appended behind those of a window, as a client does. */
export function appendTurns(format: ProviderFormat, window: string, more: readonly Turn[]): string {
  const writer: SessionWriter = WRITERS[format];
  const parsed = JSON.parse(window) as Record<string, object[]>;
  return JSON.stringify({
    ...parsed,
    [writer.listKey]: joinedMessages(writer, [...(parsed[writer.listKey] ?? []), ...writeTurns(writer, more)]),
  });
}

/** The request without its list of messages. */
export function envelopeOf(format: ProviderFormat, window: string): object {
  const { [WRITERS[format].listKey]: _, ...envelope } = JSON.parse(window) as Record<string, unknown>;
  return envelope;
}

function writeTurns(writer: SessionWriter, conversation: readonly Turn[]): object[] {
  return conversation.flatMap((turn, place) =>
    turn.kind === 'calls'
      ? writer.calls(turn.calls, (index) => `call_${place}_${index}`)
      : [writer.words(turn.kind === 'human' ? 'user' : 'assistant', turn.text)],
  );
}

function joinedMessages({ joined }: SessionWriter, messages: readonly object[]): object[] {
  if (joined === undefined) return [...messages];
  const runs: Record<string, unknown>[] = [];
  for (const message of messages as Record<string, unknown>[]) {
    const last = runs.at(-1);
    const isApart =
      (JSON.stringify(last) ?? '').includes('functionResponse') !==
      JSON.stringify(message).includes('functionResponse');
    if (last !== undefined && last.role === message.role && joined.roles.includes(String(message.role)) && !isApart) {
      last[joined.key] = [...(last[joined.key] as unknown[]), ...(message[joined.key] as unknown[])];
    } else {
      runs.push({ ...message });
    }
  }
  return runs;
}

/** The list of messages of a request. */
export function listOf(format: ProviderFormat, request: object): unknown[] {
  return (request as Record<string, unknown[]>)[WRITERS[format].listKey] ?? [];
}

/** The request with another list of messages. */
export function withList(format: ProviderFormat, request: object, list: readonly unknown[]): object {
  return { ...request, [WRITERS[format].listKey]: list };
}
