import { detectFormat } from '../formats/detect-format';
import { findJson } from '../formats/find-json';
import { DEFAULT_READ_LIMITS, formatOf } from '../formats';
import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';
import { spanMessages } from './span-messages';
import { spansAsChat } from './spans-as-chat';
import { titleOf, type Transcript } from './transcript';

/** Spans hold what went into a model in many members, as structure or as JSON in a string, some levels deep. */
const LARGEST_DEPTH = 16;
const MAYBE_LIST = /^\s*[[{]/;

/** An object with the text that its offsets refer to. */
interface Holder {
  readonly text: string;
  readonly node: JsonNode;
}

interface FoundWindow {
  readonly format: FormatName;
  readonly source: string;
  readonly parts: number;
  /** The nearest object around it that has an output. */
  readonly span: Holder;
}

/** Whether the document is a trace of OpenTelemetry or Langfuse, or spans of one. */
export function isTrace(root: JsonNode): boolean {
  if (root.kind === 'array') return root.items.some(isSpan);
  if (isSpan(root)) return true;
  return ['observations', 'resourceSpans', 'spans'].some((key) => member(root, key)?.kind === 'array');
}

const SPAN_IDS = ['spanId', 'span_id', 'traceId', 'trace_id', 'context'] as const;

/** A span, or a record of one, by itself; or a batch of them as an exporter writes a line. */
export function isSpan(node: JsonNode): boolean {
  if (member(node, 'resourceSpans') !== undefined || member(node, 'resourceLogs') !== undefined) return true;
  return member(node, 'attributes') !== undefined && SPAN_IDS.some((key) => member(node, key) !== undefined);
}

/**
 * Reads the longest conversation that spans show by one of their conventions; else the longest window that a trace
 * shows, wherever its spans hold it, with the model's answer behind it where that
 * is written in the same format. A trace that shows none is a chat of its spans' inputs and outputs. Undefined for a
 * trace without a model's words.
 */
export function readTrace(text: string, root: JsonNode): Transcript | undefined {
  const shown = spanMessages(text, root);
  if (shown !== undefined) return shown;
  const found: FoundWindow[] = [];
  collect({ text, node: root }, { text, node: root }, found, 0);
  const longest = found.reduce<FoundWindow | undefined>(
    (best, window) => (best === undefined || window.parts > best.parts ? window : best),
    undefined,
  );
  if (longest === undefined) return spansAsChat(text, root);
  const { format, source } = longest;
  const node = findJson(source);
  const trace = member(root, 'trace') ?? root;
  const name = stringValue(member(trace, 'name'));
  return {
    kind: 'trace',
    format,
    source: withAnswer(format, source, answerOf(longest)),
    model: stringValue(member(node, 'model')),
    sessionHint: stringValue(member(trace, 'sessionId')) ?? stringValue(member(trace, 'id')),
    title: titleOf(name ?? 'Trace'),
    repairs: [],
  };
}

/** Looks for windows in a node and in the JSON that its strings hold. */
function collect({ text, node }: Holder, span: Holder, found: FoundWindow[], depth: number): void {
  if (depth > LARGEST_DEPTH) return;
  if (node.kind === 'string') {
    const inner = MAYBE_LIST.test(node.value) ? findJson(node.value) : undefined;
    if (inner !== undefined) collect({ text: node.value, node: inner }, span, found, depth + 1);
    return;
  }
  if (node.kind !== 'array' && node.kind !== 'object') return;
  if (mayBeWindow(node) && consider(sourceOf(text, node), span, found)) return;
  if (node.kind === 'array') {
    for (const item of node.items) collect({ text, node: item }, span, found, depth + 1);
  } else {
    const inner = member(node, 'output') === undefined ? span : { text, node };
    for (const { value } of node.members) collect({ text, node: value }, inner, found, depth + 1);
  }
}

/** A list of objects, or a request around one; spans have an input, too. */
function mayBeWindow(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.length > 0 && node.items.every((item) => item.kind === 'object');
  return ['messages', 'contents'].some((key) => member(node, key)?.kind === 'array');
}

/** Takes a text for a window where it reads and validates as one; elements are no messages of a model. */
function consider(source: string, span: Holder, found: FoundWindow[]): boolean {
  const format = detectFormat(source);
  if (format === undefined || format === 'elements') return false;
  const read = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (read.kind !== 'window' || read.window.parts.length === 0) return false;
  if (formatOf(format).validate(source).length > 0) return false;
  found.push({ format, source, parts: read.window.parts.length, span });
  return true;
}

/** What came out of the span that a window went into; undefined where the window is that itself. */
function answerOf({ source, span }: FoundWindow): string | undefined {
  const output = member(span.node, 'output');
  if (output === undefined) return undefined;
  const answer = stringValue(output) ?? sourceOf(span.text, output);
  return answer.includes(source) ? undefined : answer;
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
