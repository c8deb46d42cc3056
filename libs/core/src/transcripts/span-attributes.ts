import { findJson } from '../formats/find-json';
import { items, member, sourceOf, stringValue, type JsonNode } from '../json';

/** A value with the text that its offsets refer to. */
export interface SpanValue {
  readonly text: string;
  readonly node: JsonNode;
}

/** Attributes of a span or of an event, by their dotted names. */
export type SpanAttributes = ReadonlyMap<string, SpanValue>;

const LARGEST_DEPTH = 24;

/** The attributes of every span and event of a document, in its order, however its exporter wrote them. */
export function attributesIn(text: string, root: JsonNode): readonly SpanAttributes[] {
  const found: SpanAttributes[] = [];
  visit(text, root, found, 0);
  return found;
}

function visit(text: string, node: JsonNode, found: SpanAttributes[], depth: number): void {
  if (depth > LARGEST_DEPTH) return;
  if (node.kind === 'array') {
    for (const item of node.items) visit(text, item, found, depth + 1);
  } else if (node.kind === 'object') {
    const attributes = member(node, 'attributes');
    const name = stringValue(member(node, 'name')) ?? stringValue(member(node, 'eventName'));
    const own = new Map<string, SpanValue>();
    for (const holder of [attributes, member(node, 'body')]) {
      if (holder !== undefined) flatten({ text, node: holder }, '', own, 0);
    }
    if (attributes !== undefined && name !== undefined) own.set(EVENT_NAME, nameOf(name));
    if (own.size > 0) found.push(own);
    for (const { key, value } of node.members) if (key !== 'attributes') visit(text, value, found, depth + 1);
  }
}

/** Holds the name of the span or event among its attributes. */
export const EVENT_NAME = ' name';

function nameOf(name: string): SpanValue {
  const text = JSON.stringify(name);
  return { text, node: findJson(text) ?? { kind: 'null', start: 0, end: 0 } };
}

/** Attributes may be a list of `{key, value}`, members with dotted names, or objects within objects. */
function flatten({ text, node }: SpanValue, prefix: string, into: Map<string, SpanValue>, depth: number): void {
  if (depth > LARGEST_DEPTH) return;
  if (node.kind === 'array' && node.items.every((item) => stringValue(member(item, 'key')) !== undefined)) {
    for (const item of items(node)) {
      const value = member(item, 'value');
      const key = `${prefix}${stringValue(member(item, 'key')) ?? ''}`;
      if (value !== undefined) flatten({ text, node: value }, `${key}.`, into, depth + 1);
    }
    return;
  }
  const listed = member(member(node, 'kvlistValue'), 'values');
  if (listed !== undefined) {
    flatten({ text, node: listed }, prefix, into, depth + 1);
    return;
  }
  if (prefix !== '') into.set(prefix.slice(0, -1), { text, node: plain(node) });
  if (node.kind === 'array') {
    node.items.forEach((item, index) => {
      flatten({ text, node: item }, `${prefix}${String(index)}.`, into, depth + 1);
    });
  } else if (node.kind === 'object') {
    for (const { key, value } of node.members) flatten({ text, node: value }, `${prefix}${key}.`, into, depth + 1);
  }
}

/** The value in OTLP's wrapper (`{"stringValue": ...}`); structure in it (`arrayValue`, `kvlistValue`) stays as it is. */
function plain(value: JsonNode): JsonNode {
  if (value.kind !== 'object') return value;
  const keys = ['stringValue', 'intValue', 'doubleValue', 'boolValue', 'string_value', 'int_value'];
  return keys.map((key) => member(value, key)).find((found) => found !== undefined) ?? value;
}

/** What an attribute says: a string, or the source of a structure. */
export function attributeText(value: SpanValue | undefined): string | undefined {
  if (value === undefined || value.node.kind === 'null') return undefined;
  return stringValue(value.node) ?? sourceOf(value.text, value.node);
}

/** An attribute's structure, which many exporters write as JSON in a string. */
export function attributeJson(value: SpanValue | undefined): SpanValue | undefined {
  if (value?.node.kind !== 'string') return value;
  const node = findJson(value.node.value);
  return node === undefined ? undefined : { text: value.node.value, node };
}
