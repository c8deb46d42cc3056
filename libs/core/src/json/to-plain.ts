import type { JsonMember, JsonNode } from './json-node';

/** A plain value of a JSON text, for reading only. */
export type PlainJson = string | number | boolean | null | PlainJson[] | PlainJsonObject;

/** A plain object of a JSON text; it has no prototype. */
export interface PlainJsonObject {
  [key: string]: PlainJson;
}

/** A plain container that still waits for its contents. */
type Pending =
  | { readonly kind: 'array'; readonly items: readonly JsonNode[]; readonly plain: PlainJson[] }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[]; readonly plain: PlainJsonObject };

/**
 * The plain value of a node, as `JSON.parse` gives it: doubles for numbers, the last duplicate of a key.
 *
 * Objects have no prototype, so `__proto__` and `constructor` are keys like any other. Never written back into a
 * window: number text, key order and duplicates are gone. Works without recursion, whatever the depth.
 */
export function toPlain(node: JsonNode): PlainJson {
  const pending: Pending[] = [];
  const root = shallowPlain(node, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'array') {
      for (const item of next.items) next.plain.push(shallowPlain(item, pending));
    } else {
      for (const { key, value } of next.members) next.plain[key] = shallowPlain(value, pending);
    }
  }
  return root;
}

/** A scalar's value, or an empty container whose contents are noted as pending. */
function shallowPlain(node: JsonNode, pending: Pending[]): PlainJson {
  switch (node.kind) {
    case 'object': {
      const plain = objectWithoutPrototype();
      if (node.members.length > 0) pending.push({ kind: 'object', members: node.members, plain });
      return plain;
    }
    case 'array': {
      const plain: PlainJson[] = [];
      if (node.items.length > 0) pending.push({ kind: 'array', items: node.items, plain });
      return plain;
    }
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/** Without a prototype there is no setter behind `__proto__`: assigning it makes an ordinary member. */
function objectWithoutPrototype(): PlainJsonObject {
  return Object.create(null) as PlainJsonObject;
}
