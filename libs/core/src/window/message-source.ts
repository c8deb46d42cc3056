import { items, member, parseJson, sourceOf, type JsonNode } from '../json';
import type { ReadWindow } from './element';

/** Source text of messages `first` to `last` of a window (inclusive), as they stand in it, joined by `,\n`. */
export function messageSource(window: ReadWindow): (first: number, last: number) => string {
  const nodes = new Map<number, JsonNode>();
  let root: JsonNode | undefined;
  return (first, last) => {
    root ??= parseJson(window.source);
    const sources: string[] = [];
    for (let index = first; index <= last; index += 1) {
      const path = window.messages[index]?.path;
      const node = nodes.get(index) ?? (path === undefined ? undefined : nodeAt(root, path));
      if (node === undefined) continue;
      nodes.set(index, node);
      sources.push(sourceOf(window.source, node));
    }
    return sources.join(',\n');
  };
}

function nodeAt(root: JsonNode, pointer: string): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    if (node === undefined) return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = node.kind === 'array' ? items(node)[Number(key)] : member(node, key);
  }
  return node;
}
