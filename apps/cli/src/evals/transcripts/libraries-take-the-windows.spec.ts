import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compact, DEFAULT_POLICY, formatOf, readTranscript, type FormatName } from '@holdfast/core';
import { CharacterCounter, MemorySessionStore } from '@holdfast/core/testing';
import {
  coerceMessageLikeToMessage,
  mapStoredMessagesToChatMessages,
  type BaseMessage,
  type BaseMessageLike,
  type StoredMessage,
} from '@langchain/core/messages';
import { convertToModelMessages, modelMessageSchema, validateUIMessages, type UIMessage } from 'ai';
import fc from 'fast-check';

/** One step of a session: what a person says, and a call with its result, before it is written in a format. */
interface Step {
  readonly asks: string;
  readonly says: string;
  readonly result: string;
  readonly isAnswered: boolean;
}

const words = fc.array(fc.constantFrom('order', 'W8827341', '"quoted"', '数据', '/srv/app', '42.50'), { minLength: 1 });
const steps = fc.array(
  fc.record({
    asks: words.map((list) => `Look at ${list.join(' ')}.`),
    says: words.map((list) => `I saw ${list.join(' ')}. `.repeat(8)),
    result: words.map((list) => JSON.stringify(list.map((name, id) => ({ id, name, note: 'n'.repeat(80) })))),
    isAnswered: fc.boolean(),
  }),
  { minLength: 3, maxLength: 8 },
);

type Writer = (step: Step, place: number) => readonly object[];

const text = (words: string): object => ({ type: 'text', text: words });

const modelMessages: Writer = ({ asks, says, result, isAnswered }, place) => {
  const ids = { toolCallId: `c${place}`, toolName: 'look' };
  const output =
    place % 2 === 0 ? { type: 'json', value: JSON.parse(result) as unknown } : { type: 'text', value: result };
  return [
    { role: 'user', content: asks },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool-call', ...ids, input: { place } },
      ],
    },
    ...(isAnswered ? [{ role: 'tool', content: [{ type: 'tool-result', ...ids, output }] }] : []),
    { role: 'assistant', content: [text(says)] },
  ];
};

const uiMessages: Writer = ({ asks, says, result, isAnswered }, place) => {
  const call = { type: 'tool-look', toolCallId: `c${place}`, input: { place } };
  const output = { state: 'output-available', output: JSON.parse(result) as unknown };
  return [
    { id: `u${place}`, role: 'user', parts: [text(asks)] },
    {
      id: `a${place}`,
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        { ...call, ...(isAnswered ? output : { state: 'input-available' }) },
        { type: 'step-start' },
        text(says),
      ],
    },
  ];
};

const langChain =
  (wrap: (type: 'human' | 'ai' | 'tool', members: object) => object): Writer =>
  ({ asks, says, result, isAnswered }, place) => [
    wrap('human', { content: asks }),
    wrap('ai', { content: '', tool_calls: [{ name: 'look', args: { place }, id: `c${place}` }] }),
    ...(isAnswered ? [wrap('tool', { content: result, tool_call_id: `c${place}` })] : []),
    wrap('ai', { content: says }),
  ];

const CLASSES = { human: 'HumanMessage', ai: 'AIMessage', tool: 'ToolMessage' } as const;

/** Throws where the library takes none of it. */
type Taker = (list: unknown[]) => unknown;

const takesModelMessages: Taker = (list) => list.map((message) => modelMessageSchema.parse(message));

async function takesUiMessages(list: unknown[]): Promise<void> {
  await validateUIMessages({ messages: list });
  takesModelMessages(await convertToModelMessages(list as UIMessage[]));
}

const takesLikes: Taker = (list) => inTurn(list.map((like) => coerceMessageLikeToMessage(like as BaseMessageLike)));
const takesStored: Taker = (list) => inTurn(mapStoredMessagesToChatMessages(list as StoredMessage[]));

/** Every result answers a call of the messages before it, as LangChain's own callers expect. */
function inTurn(messages: readonly BaseMessage[]): void {
  const ids = new Set<string>();
  for (const message of messages) {
    const { tool_calls: calls = [], tool_call_id: answered } = message as { tool_calls?: { id?: string }[] } & {
      tool_call_id?: string;
    };
    for (const { id } of calls) ids.add(id ?? '');
    if (answered !== undefined) expect(ids).toContain(answered);
  }
}

const CASES: readonly (readonly [string, FormatName, Writer, Taker])[] = [
  ['ModelMessages of the AI SDK', 'ai-sdk', modelMessages, takesModelMessages],
  ['UIMessages of the AI SDK', 'ai-sdk', uiMessages, takesUiMessages],
  ['plain messages of LangChain', 'langchain', langChain((type, members) => ({ type, ...members })), takesLikes],
  ['stored messages of LangChain', 'langchain', langChain((type, data) => ({ type, data })), takesStored],
  [
    'serialized messages of LangChain',
    'langchain',
    langChain((type, kwargs) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', CLASSES[type]],
      kwargs,
    })),
    takesLikes,
  ],
];

async function outputOf(format: FormatName, source: string, aimTokens: number): Promise<unknown[] | undefined> {
  const outcome = await compact(
    {
      format,
      source,
      mode: 'enforce',
      recall: 'tool',
      contracts: {},
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens: 1_000_000,
      aimTokens,
      sealKey: 'secret',
    },
    { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
  );
  if (outcome.outcome === 'refused') throw new Error(JSON.stringify(outcome.refusal));
  if (outcome.outcome !== 'compacted') return undefined;
  expect(formatOf(format).validate(outcome.proven.window)).toEqual([]);
  const written = JSON.parse(outcome.proven.window) as unknown[] | { messages: unknown[] };
  return Array.isArray(written) ? written : written.messages;
}

describe('windows that a pass writes are taken by the libraries whose messages they are', () => {
  it.each(CASES)('%s', async (_, format, write, take) => {
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 600 }), async (session, aimTokens) => {
        const list = await outputOf(format, JSON.stringify(session.flatMap(write)), aimTokens);
        if (list === undefined) return;
        compacted += 1;
        await take(list);
      }),
      { numRuns: 25, seed: 20_262 },
    );
    expect(compacted).toBeGreaterThan(15);
  });

  it('the bundled customer session as chat messages that LangChain coerces', async () => {
    const path = join(__dirname, '../../../../../fixtures/transcripts/tau-bench-airline.json');
    const answer = readTranscript(readFileSync(path, 'utf8'));
    if (answer.kind === 'unreadable') throw new Error(answer.reason);
    const list = await outputOf('openai-chat', answer.transcript.source, 1);
    takesLikes(list ?? []);
    expect(list?.length).toBeGreaterThan(0);
  });
});
