import { memberEntries, quoteJson, type JsonNode } from '../json';

/** Far above what a provider accepts; deeper arguments are told apart by their source text. */
const MAX_CANONICAL_DEPTH = 150;

/** Gives the source text of a node. */
export type SourceReader = (node: JsonNode) => string;

/**
 * Reads nodes of `root` from `raw`, the text that says the same: either `root` was parsed from `raw` itself, or `raw`
 * is the slice of a larger text in which `root` stands (arguments that a provider carries as an object).
 */
export function sourceReader(root: JsonNode | undefined, raw: string): SourceReader {
  // A slice is exactly as long as its node; a text that was parsed alone is longer, or begins at 0.
  const base = root !== undefined && raw.length === root.end - root.start ? root.start : 0;
  return (node) => raw.slice(node.start - base, node.end - base);
}

/**
 * The canonical text of a call's arguments: equal for clients that write the same JSON another way.
 *
 * Keys sorted by code unit (the last duplicate counts), no white space, strings decoded and quoted again, numbers as
 * their source literals (`1.0` is not `1`, 2^53 + 1 stays exact). `raw` is the source text of `node`; arguments that
 * are no JSON are their own text as a JSON string.
 */
export function canonicalArguments(node: JsonNode | undefined, raw: string): string {
  return node === undefined ? quoteJson(raw) : canonicalJson(node, sourceReader(node, raw));
}

/** The canonical text of one value, by the same rules. */
export function canonicalJson(node: JsonNode, read: SourceReader, depth = 0): string {
  if (depth > MAX_CANONICAL_DEPTH) return quoteJson(read(node));
  switch (node.kind) {
    case 'object': {
      const members = [...memberEntries(node)].sort((a, b) => (a.key < b.key ? -1 : 1));
      const written = members.map(({ key, value }) => `${quoteJson(key)}:${canonicalJson(value, read, depth + 1)}`);
      return `{${written.join(',')}}`;
    }
    case 'array':
      return `[${node.items.map((item) => canonicalJson(item, read, depth + 1)).join(',')}]`;
    case 'string':
      return quoteJson(node.value);
    case 'number':
      return read(node);
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
  }
}

/** A scalar as a person would write it: strings bare, numbers as in the source. Undefined for containers and null. */
export function scalarText(node: JsonNode, read: SourceReader): string | undefined {
  switch (node.kind) {
    case 'string':
      return node.value;
    case 'number':
      return read(node);
    case 'boolean':
      return String(node.value);
    default:
      return undefined;
  }
}
