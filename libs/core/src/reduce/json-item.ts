import type { JsonMember, JsonNode } from '../json';

/** A value of a result and what became of it. */
export interface JsonItem {
  readonly node: JsonNode;
  /** Undefined for the root and for items of arrays. */
  readonly member: JsonMember | undefined;
  readonly parent: JsonItem | undefined;
  /** Number of its column: all values reached by the same keys, indexes aside. */
  readonly column: number;
  readonly children: readonly JsonItem[];
  kept: boolean;
}

/** A JSON tree as items, the leaves in document order, and how many leaves each column has. */
export interface ItemTree {
  readonly root: JsonItem;
  readonly leaves: readonly JsonItem[];
  readonly columnSizes: readonly number[];
  /** Objects and arrays whose key is a value, in document order. */
  readonly valueKeyed: readonly JsonItem[];
}

/**
 * Items of a tree. Values below keys that are themselves values (`{"W1234": {...}}`, told by `isValueKey`) share a
 * column.
 */
export function itemTree(root: JsonNode, isValueKey: (key: string) => boolean): ItemTree {
  const leaves: JsonItem[] = [];
  const columnSizes: number[] = [];
  const valueKeyed: JsonItem[] = [];
  const columnsByParent = new Map<string, number>();
  const columnOf = (parent: number, step: string): number => {
    const key = `${String(parent)} ${step}`;
    const known = columnsByParent.get(key);
    if (known !== undefined) return known;
    columnsByParent.set(key, columnSizes.length);
    columnSizes.push(0);
    return columnSizes.length - 1;
  };
  const build = (
    node: JsonNode,
    member: JsonMember | undefined,
    parent: JsonItem | undefined,
    column: number,
  ): JsonItem => {
    const children: JsonItem[] = [];
    const item: JsonItem = { node, member, parent, column, children, kept: false };
    const isContainer = node.kind === 'array' || node.kind === 'object';
    if (isContainer && member !== undefined && isValueKey(member.key)) valueKeyed.push(item);
    if (node.kind === 'array') {
      for (const child of node.items) children.push(build(child, undefined, item, columnOf(column, '*')));
    } else if (node.kind === 'object') {
      for (const child of node.members) {
        const step = isValueKey(child.key) ? '*' : `.${child.key}`;
        children.push(build(child.value, child, item, columnOf(column, step)));
      }
    } else {
      columnSizes[column] = (columnSizes[column] ?? 0) + 1;
      leaves.push(item);
    }
    return item;
  };
  return { root: build(root, undefined, undefined, columnOf(-1, '$')), leaves, columnSizes, valueKeyed };
}
