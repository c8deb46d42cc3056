import type { JsonMember, JsonNode } from './json-node';

/** The value of a member; the last duplicate counts, as in `JSON.parse`. Undefined where there is none or no object. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/**
 * The members that count: one for each key, the last duplicate at the place of the first. Empty for anything but
 * an object. `node.members` has all of them.
 */
export function memberEntries(node: JsonNode | undefined): readonly JsonMember[] {
  if (node?.kind !== 'object') return [];
  const byKey = new Map<string, JsonMember>();
  for (const candidate of node.members) byKey.set(candidate.key, candidate);
  return byKey.size === node.members.length ? node.members : [...byKey.values()];
}

/** The items of an array; empty for anything else. */
export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

/** The decoded value of a string node; undefined for anything else. */
export function stringValue(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}
