import { items, type JsonNode, member, parseJson, sourceOf } from '@holdfast/core';

const LIST_KEYS = ['messages', 'elements', 'input', 'contents'];

/** Source texts of a window's messages. */
export function messageSources(source: string): readonly string[] {
  return items(listOfWindow(parseJson(source))).map((node) => sourceOf(source, node));
}

/** The window with other messages; everything around the list leaves as its source text. */
export function withMessageSources(source: string, messages: readonly string[]): string {
  const list = listOfWindow(parseJson(source));
  if (list === undefined) return source;
  return `${source.slice(0, list.start)}[${messages.join(',')}]${source.slice(list.end)}`;
}

function listOfWindow(root: JsonNode): JsonNode | undefined {
  if (root.kind === 'array') return root;
  return LIST_KEYS.map((key) => member(root, key)).find((node) => node?.kind === 'array');
}
