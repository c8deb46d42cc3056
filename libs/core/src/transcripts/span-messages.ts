import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest, type ChatCall } from './chat-turns';
import { attributeJson, attributesIn, attributeText, EVENT_NAME, type SpanAttributes } from './span-attributes';
import { titleOf, type Transcript } from './transcript';

/** One message as a span of any convention shows it. */
interface SpanMessage {
  readonly role: string;
  readonly words: string;
  readonly calls: readonly ChatCall[];
  readonly results: readonly { readonly callId: string; readonly words: string }[];
}

/** Prefixes of numbered messages: what went in, and what came out. */
const NUMBERED = [
  { input: 'llm.input_messages', output: 'llm.output_messages', inner: 'message.' },
  { input: 'gen_ai.prompt', output: 'gen_ai.completion', inner: '' },
] as const;

const EVENT_ROLES: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
]);

/**
 * The longest conversation that a span shows by the conventions of OpenInference (`llm.input_messages`), OpenTelemetry
 * (`gen_ai.input.messages`, or an event for each message) or OpenLLMetry (`gen_ai.prompt`), with the model's answer, as
 * a chat. Undefined where no span follows one of them.
 */
export function spanMessages(text: string, root: JsonNode): Transcript | undefined {
  const spans = attributesIn(text, root);
  const candidates = [...spans.map(messagesOfSpan), messagesOfEvents(spans)];
  const longest = candidates.reduce((best, one) => (one.length > best.length ? one : best), []);
  if (!longest.some(({ role }) => role === 'assistant')) return undefined;
  const turns = new ChatTurns();
  for (const message of longest) addMessage(turns, message);
  const request = spans.map((span) => attributeText(span.get('gen_ai.request.model') ?? span.get('llm.model_name')));
  const session = spans.map((span) => attributeText(span.get('session.id') ?? span.get('gen_ai.conversation.id')));
  const first = longest.find(({ role }) => role === 'user')?.words;
  const model = request.find((name) => name !== undefined);
  return {
    kind: 'trace',
    format: 'openai-chat',
    source: chatRequest(turns.toMessages(), model),
    model,
    sessionHint: session.find((name) => name !== undefined),
    title: titleOf(first ?? 'Trace'),
    repairs: turns.repairs,
  };
}

function addMessage(turns: ChatTurns, { role, words, calls, results }: SpanMessage): void {
  for (const { callId, words: said } of results) turns.addResult(callId, quoteJson(said));
  if (role === 'assistant' && calls.length > 0) turns.addCalls(words, calls);
  else if (words.trim() !== '' && role !== 'tool') turns.addWords(roleOf(role), quoteJson(words));
}

function roleOf(role: string): 'system' | 'user' | 'assistant' {
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'assistant' || role === 'model' ? 'assistant' : 'user';
}

function messagesOfSpan(span: SpanAttributes): readonly SpanMessage[] {
  const structured = [
    ...systemOf(span),
    ...partMessages(span, 'gen_ai.input.messages'),
    ...partMessages(span, 'gen_ai.output.messages'),
  ];
  const numbered = NUMBERED.map(({ input, output, inner }) => [
    ...numberedMessages(span, input, inner, 'user'),
    ...numberedMessages(span, output, inner, 'assistant'),
  ]);
  return [structured, ...numbered].reduce((best, one) => (one.length > best.length ? one : best));
}

/** `gen_ai.system_instructions`: a list of parts. */
function systemOf(span: SpanAttributes): readonly SpanMessage[] {
  const value = attributeJson(span.get('gen_ai.system_instructions'));
  const words =
    value === undefined
      ? ''
      : items(value.node)
          .flatMap((part) => partWords(part))
          .join('\n');
  return words === '' ? [] : [{ role: 'system', words, calls: [], results: [] }];
}

/** Messages of OpenTelemetry's schema: `{role, parts}` with parts of the types `text`, `tool_call`, `tool_call_response`. */
function partMessages(span: SpanAttributes, name: string): readonly SpanMessage[] {
  const value = attributeJson(span.get(name));
  if (value === undefined) return [];
  return items(value.node).map((message) => {
    const parts = items(member(message, 'parts'));
    const of = (...types: readonly string[]): readonly JsonNode[] =>
      parts.filter((part) => types.includes(stringValue(member(part, 'type')) ?? ''));
    return {
      role: stringValue(member(message, 'role')) ?? 'user',
      words: stringValue(member(message, 'content')) ?? parts.flatMap(partWords).join('\n'),
      calls: of('tool_call').map((part) => ({
        callId: stringValue(member(part, 'id')) ?? '',
        tool: stringValue(member(part, 'name')) ?? '',
        argumentsText: said(value.text, member(part, 'arguments')) ?? '{}',
      })),
      results: of('tool_call_response').map((part) => ({
        callId: stringValue(member(part, 'id')) ?? '',
        words: said(value.text, member(part, 'response') ?? member(part, 'result') ?? member(part, 'content')) ?? '',
      })),
    };
  });
}

function partWords(part: JsonNode): readonly string[] {
  if (part.kind === 'string') return [part.value];
  if (stringValue(member(part, 'type')) !== 'text') return [];
  return [stringValue(member(part, 'content')) ?? stringValue(member(part, 'text')) ?? ''];
}

function said(text: string, node: JsonNode | undefined): string | undefined {
  if (node === undefined || node.kind === 'null') return undefined;
  return stringValue(node) ?? sourceOf(text, node);
}

/** Messages under `prefix.0.`, `prefix.1.` and so on, each a set of attributes. */
function numberedMessages(span: SpanAttributes, prefix: string, inner: string, role: string): readonly SpanMessage[] {
  const messages: SpanMessage[] = [];
  for (let index = 0; ; index += 1) {
    const at = `${prefix}.${String(index)}.${inner}`;
    const get = (key: string): string | undefined => attributeText(span.get(at + key));
    const calls = numberedCalls(span, `${at}tool_calls`);
    const own = get('role');
    const content = get('content') ?? numberedContents(span, `${at}contents`);
    if (own === undefined && content === undefined && calls.length === 0) return messages;
    const callId = get('tool_call_id');
    const isResult = own === 'tool' || callId !== undefined;
    messages.push({
      role: own ?? role,
      words: isResult ? '' : (content ?? ''),
      calls,
      results: isResult ? [{ callId: callId ?? '', words: content ?? '' }] : [],
    });
  }
}

function numberedContents(span: SpanAttributes, prefix: string): string | undefined {
  const words: string[] = [];
  for (let index = 0; ; index += 1) {
    const at = `${prefix}.${String(index)}.message_content.`;
    const text = attributeText(span.get(`${at}text`));
    if (text === undefined && span.get(`${at}type`) === undefined) break;
    if (text !== undefined) words.push(text);
  }
  return words.length === 0 ? undefined : words.join('\n');
}

function numberedCalls(span: SpanAttributes, prefix: string): readonly ChatCall[] {
  const calls: ChatCall[] = [];
  for (let index = 0; ; index += 1) {
    const at = `${prefix}.${String(index)}.`;
    const get = (...keys: readonly string[]): string | undefined =>
      keys.map((key) => attributeText(span.get(at + key))).find((found) => found !== undefined);
    const tool = get('tool_call.function.name', 'function.name', 'name');
    if (tool === undefined) return calls;
    const argumentsText = get('tool_call.function.arguments', 'function.arguments', 'arguments') ?? '{}';
    calls.push({ callId: get('tool_call.id', 'id') ?? '', tool, argumentsText });
  }
}

/** One message an event, as OpenTelemetry's earlier convention has it. */
function messagesOfEvents(spans: readonly SpanAttributes[]): readonly SpanMessage[] {
  return spans.flatMap((event): readonly SpanMessage[] => {
    const role = EVENT_ROLES.get(attributeText(event.get('event.name') ?? event.get(EVENT_NAME)) ?? '');
    if (role === undefined) return [];
    const inner = ['message.', ''].find((prefix) => event.has(`${prefix}content`) || event.has(`${prefix}tool_calls`));
    const words = attributeText(event.get(`${inner ?? ''}content`)) ?? '';
    if (role === 'tool') return [{ role, words: '', calls: [], results: [{ callId: idOf(event), words }] }];
    const value = attributeJson(event.get(`${inner ?? ''}tool_calls`));
    const calls = items(value?.node).map((call) => {
      const named = member(call, 'function');
      return {
        callId: stringValue(member(call, 'id')) ?? '',
        tool: stringValue(member(named, 'name')) ?? '',
        argumentsText: said(value?.text ?? '', member(named, 'arguments')) ?? '{}',
      };
    });
    return [{ role, words, calls, results: [] }];
  });
}

function idOf(event: SpanAttributes): string {
  return attributeText(event.get('id') ?? event.get('message.id')) ?? '';
}
