import { detectFormat } from '../formats/detect-format';
import { findJson } from '../formats/find-json';
import { DEFAULT_READ_LIMITS, formatOf } from '../formats';
import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';
import { titleOf, type Transcript } from './transcript';

/** Members of spans that hold what went into a model or came out of it, as structure or as JSON in a string. */
const HOLDING_KEYS: ReadonlySet<string> = new Set([
  'input',
  'output',
  'prompt',
  'messages',
  'gen_ai.input.messages',
  'gen_ai.prompt',
  'ai.prompt',
  'ai.prompt.messages',
  'llm.input_messages',
  'input.value',
  'langfuse.observation.input',
]);
const LARGEST_DEPTH = 12;

interface FoundWindow {
  readonly format: FormatName;
  readonly source: string;
  readonly parts: number;
  readonly answer: string | undefined;
}

/** Whether the document is a trace of OpenTelemetry or Langfuse. */
export function isTrace(root: JsonNode): boolean {
  return ['observations', 'resourceSpans', 'spans'].some((key) => member(root, key)?.kind === 'array');
}

/**
 * Reads the longest window that a trace shows: messages in the inputs and outputs of its spans, with the model's answer
 * behind them where that is written in the same format. Undefined where no span shows one.
 */
export function readTrace(text: string, root: JsonNode): Transcript | undefined {
  const found: FoundWindow[] = [];
  collect(text, root, found, 0);
  const longest = found.reduce<FoundWindow | undefined>(
    (best, window) => (best === undefined || window.parts > best.parts ? window : best),
    undefined,
  );
  if (longest === undefined) return undefined;
  const { format, source } = longest;
  const node = findJson(source);
  const trace = member(root, 'trace') ?? root;
  const name = stringValue(member(trace, 'name'));
  return {
    kind: 'trace',
    format,
    source: withAnswer(format, source, longest.answer),
    model: stringValue(member(node, 'model')),
    sessionHint: stringValue(member(trace, 'sessionId')) ?? stringValue(member(trace, 'id')),
    title: titleOf(name ?? 'Trace'),
    repairs: [],
  };
}

function collect(text: string, node: JsonNode, found: FoundWindow[], depth: number): void {
  if (depth > LARGEST_DEPTH) return;
  if (node.kind === 'array') {
    for (const item of node.items) collect(text, item, found, depth + 1);
    return;
  }
  if (node.kind !== 'object') return;
  const attribute = stringValue(member(node, 'key'));
  const value = member(node, 'value');
  if (attribute !== undefined && HOLDING_KEYS.has(attribute) && value !== undefined) {
    consider(text, member(value, 'stringValue') ?? value, node, found);
  }
  for (const { key, value: held } of node.members) {
    if (HOLDING_KEYS.has(key)) consider(text, held, node, found);
    collect(text, held, found, depth + 1);
  }
}

/** Takes what a member holds for a window where it reads and validates as one. */
function consider(text: string, held: JsonNode, span: JsonNode, found: FoundWindow[]): void {
  const source = stringValue(held) ?? sourceOf(text, held);
  if (!/^\s*[[{]/.test(source)) return;
  const format = detectFormat(source);
  if (format === undefined) return;
  const read = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (read.kind !== 'window' || read.window.parts.length === 0 || formatOf(format).validate(source).length > 0) return;
  const output = member(span, 'output');
  const answer = output === undefined || output === held ? undefined : (stringValue(output) ?? sourceOf(text, output));
  found.push({ format, source, parts: read.window.parts.length, answer });
}

/** The window with the model's answer as its last message; as it is where the answer is of another format. */
function withAnswer(format: FormatName, source: string, answer: string | undefined): string {
  const node = answer === undefined ? undefined : findJson(answer);
  const root = findJson(source);
  if (answer === undefined || root === undefined) return source;
  const list = root.kind === 'array' ? root : (member(root, 'messages') ?? member(root, 'input'));
  if (list?.kind !== 'array') return source;
  const more = answerItems(format, answer, node);
  if (more.length === 0) return source;
  const place = list.items.at(-1)?.end ?? list.start + 1;
  const joined = `${source.slice(0, place)}${list.items.length === 0 ? '' : ','}${more.join(',')}${source.slice(place)}`;
  const accepted = formatOf(format).read(joined, DEFAULT_READ_LIMITS).kind === 'window';
  return accepted && formatOf(format).validate(joined).length === 0 ? joined : source;
}

function answerItems(format: FormatName, answer: string, node: JsonNode | undefined): readonly string[] {
  if (format === 'openai-responses') return items(member(node, 'output')).map((item) => sourceOf(answer, item));
  if (node === undefined) {
    return format === 'openai-chat' && answer.trim() !== ''
      ? [`{"role":"assistant","content":${quoteJson(answer)}}`]
      : [];
  }
  const isMessage = stringValue(member(node, 'role')) === 'assistant' && detectFormat(`[${answer}]`) === format;
  return isMessage ? [answer] : [];
}
