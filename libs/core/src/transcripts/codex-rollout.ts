import { findJson } from '../formats/find-json';
import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import type { JsonLine, JsonLines } from './json-lines';
import { ResponsesItems } from './responses-items';
import { titleOf, type Transcript } from './transcript';

/** Records of a rollout that no API takes. */
const BESIDE_TYPES: ReadonlySet<string> = new Set(['ghost_snapshot', 'other']);
const ITEM_TYPES: ReadonlySet<string> = new Set(['message', 'function_call', 'function_call_output', 'reasoning']);

/** Whether the lines are a rollout of Codex, of its envelope or of the older form of bare items. */
export function isCodexRollout(lines: readonly JsonLine[]): boolean {
  const isEnvelope = ({ node }: JsonLine): boolean =>
    ['session_meta', 'response_item'].includes(stringValue(member(node, 'type')) ?? '') &&
    member(node, 'payload') !== undefined;
  const isHeader = ({ node }: JsonLine): boolean =>
    member(node, 'instructions') !== undefined && member(node, 'timestamp') !== undefined;
  const isItem = ({ node }: JsonLine): boolean => ITEM_TYPES.has(stringValue(member(node, 'type')) ?? '');
  return lines.some(isEnvelope) || (lines.some(isHeader) && lines.some(isItem));
}

/**
 * Reads a rollout of Codex (JSON Lines) as the request that its model would see next. Items leave as their source text;
 * events and contexts stand beside the window. A compaction leaves what it kept, or the user's messages and its summary.
 */
export function readCodexRollout({ lines, unreadable }: JsonLines): Transcript {
  const reader = new RolloutReader();
  for (const line of lines) reader.read(line);
  return reader.transcript(unreadable);
}

class RolloutReader {
  private readonly list = new ResponsesItems();
  private model: string | undefined;
  private instructions: string | undefined;
  private sessionHint: string | undefined;
  private firstWords: string | undefined;
  /** Ids for calls of records that have none, oldest first. */
  private readonly unnamed: string[] = [];

  read(line: JsonLine): void {
    const { node } = line;
    const type = stringValue(member(node, 'type'));
    const payload = member(node, 'payload');
    if (type === 'session_meta' || (type === undefined && member(node, 'instructions') !== undefined)) {
      const meta = payload ?? node;
      this.sessionHint ??= stringValue(member(meta, 'id'));
      const base = member(meta, 'base_instructions');
      this.instructions ??= stringValue(member(base, 'text')) ?? stringValue(member(meta, 'instructions'));
    } else if (type === 'turn_context') {
      this.model = stringValue(member(payload, 'model')) ?? this.model;
    } else if (type === 'compacted') {
      this.compact(line, payload);
    } else if (type === 'response_item' && payload !== undefined) {
      this.addItem(line, payload);
    } else if (payload === undefined && type !== undefined && type !== 'state') {
      this.addItem(line, node);
    }
  }

  transcript(unreadable: readonly number[]): Transcript {
    const input = this.list.toItems();
    const members = [
      ...(this.model === undefined ? [] : [`"model":${quoteJson(this.model)}`]),
      ...(this.instructions === undefined ? [] : [`"instructions":${quoteJson(this.instructions)}`]),
      `"input":${input}`,
    ];
    return {
      kind: 'codex-rollout',
      format: 'openai-responses',
      source: `{${members.join(',')}}`,
      model: this.model,
      sessionHint: this.sessionHint,
      title: titleOf(this.firstWords ?? 'Codex session'),
      repairs: [
        ...this.list.repairs,
        ...unreadable.map((number) => ({ kind: 'line_unreadable', subject: String(number) }) as const),
      ],
    };
  }

  private addItem({ number, text }: JsonLine, item: JsonNode): void {
    const type = stringValue(member(item, 'type')) ?? '';
    if (BESIDE_TYPES.has(type)) return;
    if (type === 'tool_call' || type === 'tool_result') {
      this.addNamedRecord(text, item, type === 'tool_call', number);
      return;
    }
    const isUser = type === 'message' && stringValue(member(item, 'role')) === 'user';
    const words = stringValue(member(items(member(item, 'content'))[0], 'text'));
    if (isUser && words !== undefined && !words.startsWith('<')) this.firstWords ??= words;
    this.list.add(sourceOf(text, item), item, isUser);
  }

  /** Records that name the tool and no call id are paired in their order. */
  private addNamedRecord(text: string, record: JsonNode, isCall: boolean, number: number): void {
    const given = stringValue(member(record, 'call_id')) ?? stringValue(member(record, 'id'));
    const named = isCall ? `call_${String(number)}` : this.unnamed.shift();
    const id = given ?? named ?? '';
    if (isCall && given === undefined) this.unnamed.push(id);
    const held = member(record, isCall ? 'arguments' : 'result') ?? member(record, 'output');
    const source = held === undefined ? '' : (stringValue(held) ?? sourceOf(text, held));
    const name = stringValue(member(member(record, 'function'), 'name')) ?? stringValue(member(record, 'name')) ?? '';
    const item = isCall
      ? `{"type":"function_call","call_id":${quoteJson(id)},"name":${quoteJson(name)},"arguments":${quoteJson(source)}}`
      : `{"type":"function_call_output","call_id":${quoteJson(id)},"output":${quoteJson(source)}}`;
    const node = findJson(item);
    if (node !== undefined) this.list.add(item, node);
  }

  private compact({ text }: JsonLine, payload: JsonNode | undefined): void {
    const kept = member(payload, 'replacement_history');
    this.list.restart(kept?.kind !== 'array');
    for (const item of items(kept)) this.list.add(sourceOf(text, item), item);
    const summary = member(payload, 'message');
    if (kept?.kind === 'array' || summary?.kind !== 'string' || summary.value.trim() === '') return;
    const item = `{"type":"message","role":"user","content":[{"type":"input_text","text":${sourceOf(text, summary)}}]}`;
    const node = findJson(item);
    if (node !== undefined) this.list.add(item, node);
  }
}
