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

export const PROVIDER_FORMATS: readonly FormatName[] = ['openai-chat', 'anthropic'];

/** Writes a conversation in a provider's format; call ids count on from the turn's place, so appending keeps them. */
export function writeWindow(format: FormatName, conversation: readonly Turn[]): string {
  return format === 'anthropic' ? anthropicRequest(conversation) : openaiRequest(conversation);
}

function openaiRequest(conversation: readonly Turn[]): string {
  const messages: object[] = [
    { role: 'system', content: 'You are a careful agent.' },
    { role: 'user', content: 'Begin.', x_number: 1 },
  ];
  conversation.forEach((turn, place) => {
    if (turn.kind !== 'calls') {
      messages.push({ role: turn.kind === 'human' ? 'user' : 'assistant', content: turn.text });
      return;
    }
    const id = (index: number): string => `call_${place}_${index}`;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: turn.calls.map((made, index) => ({
        id: id(index),
        type: 'function',
        function: { name: made.tool, arguments: JSON.stringify({ id: made.argument }) },
      })),
    });
    turn.calls.forEach((made, index) => messages.push({ role: 'tool', tool_call_id: id(index), content: made.result }));
  });
  return JSON.stringify({ model: 'gpt-4.1', temperature: 0.5, messages });
}

function anthropicRequest(conversation: readonly Turn[]): string {
  const messages: object[] = [{ role: 'user', content: 'Begin.' }];
  conversation.forEach((turn, place) => {
    if (turn.kind !== 'calls') {
      messages.push({
        role: turn.kind === 'human' ? 'user' : 'assistant',
        content: [{ type: 'text', text: turn.text }],
      });
      return;
    }
    const id = (index: number): string => `toolu_${place}_${index}`;
    messages.push({
      role: 'assistant',
      content: turn.calls.map((made, index) => ({
        type: 'tool_use',
        id: id(index),
        name: made.tool,
        input: { id: made.argument },
      })),
    });
    messages.push({
      role: 'user',
      content: turn.calls.map((made, index) => ({ type: 'tool_result', tool_use_id: id(index), content: made.result })),
    });
  });
  return JSON.stringify({ model: 'claude', max_tokens: 5, system: 'You are a careful agent.', messages });
}
