import { items, member, parseJson, rebuildArray, sourceOf, stringValue, type JsonArray, type JsonNode } from '../json';

/** Which neighbouring messages an API wants as one. */
export interface JoinRule {
  readonly roles: ReadonlySet<string>;
  /** The member that holds a message's list of parts. */
  readonly listKey: string;
  /** Parts that share no message with parts of another kind. */
  standsApart?(part: JsonNode): boolean;
}

/**
 * The list of messages with neighbours of one of the rule's roles as one message: the first, with the parts of all. A
 * message without parts joins nothing: it would leave without a trace.
 */
export function joinNeighbours(list: string, rule: JoinRule): string {
  const { roles, listKey } = rule;
  const root = parseJson(list, { maxDepth: list.length });
  if (root.kind !== 'array') return list;
  const isApart = (message: JsonNode): boolean =>
    items(member(message, listKey)).some((part) => rule.standsApart?.(part) === true);
  const runs: number[][] = [];
  root.items.forEach((message, index) => {
    const before = root.items[index - 1];
    const isJoined =
      before !== undefined &&
      roles.has(roleOf(message)) &&
      roleOf(message) === roleOf(before) &&
      hasParts(message, listKey) &&
      hasParts(before, listKey) &&
      isApart(message) === isApart(before);
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

function hasParts(message: JsonNode, listKey: string): boolean {
  return (partsOf(message, listKey)?.items.length ?? 0) > 0;
}

function partsOf(message: JsonNode, listKey: string): JsonArray | undefined {
  const parts = member(message, listKey);
  return parts?.kind === 'array' ? parts : undefined;
}
