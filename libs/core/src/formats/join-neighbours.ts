import { items, member, parseJson, rebuildArray, sourceOf, stringValue, type JsonArray, type JsonNode } from '../json';

/**
 * The list of messages with neighbours of one of these roles as one message: the first, with the parts of all. A
 * message of which `listKey` is no list joins nothing.
 */
export function joinNeighbours(list: string, roles: ReadonlySet<string>, listKey: string): string {
  const root = parseJson(list, { maxDepth: list.length });
  if (root.kind !== 'array') return list;
  const runs: number[][] = [];
  root.items.forEach((message, index) => {
    const before = root.items[index - 1];
    const isJoined =
      before !== undefined &&
      roles.has(roleOf(message)) &&
      roleOf(message) === roleOf(before) &&
      partsOf(message, listKey) !== undefined &&
      partsOf(before, listKey) !== undefined;
    if (isJoined) runs.at(-1)?.push(index);
    else runs.push([index]);
  });
  if (runs.every((run) => run.length === 1)) return list;
  const parts = runs.flatMap((run) => {
    const [first = 0, ...more] = run;
    const message = root.items[first];
    if (more.length === 0 || message === undefined) return [{ item: first }];
    return [
      {
        item: first,
        replacement: joinedMessage(
          list,
          message,
          run.map((index) => root.items[index]),
          listKey,
        ),
      },
    ];
  });
  return rebuildArray(list, root, parts);
}

function joinedMessage(list: string, first: JsonNode, run: readonly (JsonNode | undefined)[], listKey: string): string {
  const into = partsOf(first, listKey);
  if (into === undefined) return sourceOf(list, first);
  const joined = run.flatMap((message) => items(member(message, listKey)).map((part) => sourceOf(list, part)));
  return `${list.slice(first.start, into.start)}[${joined.join(',')}]${list.slice(into.end, first.end)}`;
}

function roleOf(message: JsonNode): string {
  return stringValue(member(message, 'role')) ?? '';
}

function partsOf(message: JsonNode, listKey: string): JsonArray | undefined {
  const parts = member(message, listKey);
  return parts?.kind === 'array' ? parts : undefined;
}
