/** Place of a node in its text: UTF-16 code unit offsets, `end` exclusive. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** A member of an object; `keyStart` and `keyEnd` enclose the key's quotes. */
export interface JsonMember {
  /** The decoded key. */
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** An object: members in source order, duplicates kept. */
export interface JsonObject extends JsonSpan {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

/** An array: items in source order. */
export interface JsonArray extends JsonSpan {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

/** A string; the value is decoded and may hold NUL and lone surrogates. */
export interface JsonString extends JsonSpan {
  readonly kind: 'string';
  readonly value: string;
}

/** A number; the exact number is its source text, the value is the nearest double. */
export interface JsonNumber extends JsonSpan {
  readonly kind: 'number';
  readonly value: number;
}

/** `true` or `false`. */
export interface JsonBoolean extends JsonSpan {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** `null`. */
export interface JsonNull extends JsonSpan {
  readonly kind: 'null';
}

/** A value of a parsed text that knows where it stands, so that untouched values leave as their source text. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;

/** The source text of a node, exactly as parsed. */
export function sourceOf(text: string, node: JsonSpan): string {
  return text.slice(node.start, node.end);
}
