import { memberEntries, parseJson, type JsonNode } from '../json';
import { formatJsonPath } from '../json-path';
import type { ObservedCall } from './observed-call';

/** Results longer than this are not searched for values that later calls used. */
const MAX_RESULT_CHARS = 200_000;
/** Leaves of one result that are looked at. */
const MAX_LEAVES = 5_000;
/** Shorter values are in use everywhere. */
const MIN_VALUE_CHARS = 4;
/** Paths of a tool that are worth keeping; more would keep the result. */
const MOST_PATHS = 8;

/** By tool: paths of its results whose values later calls took as arguments, most used first. */
export function usedResultPaths(calls: readonly ObservedCall[]): ReadonlyMap<string, readonly string[]> {
  const lastUse = new Map<string, number>();
  calls.forEach(({ args }, at) => {
    for (const { value } of leavesOf(args, MAX_LEAVES)) lastUse.set(value, at);
  });
  const uses = new Map<string, Map<string, number>>();
  calls.forEach(({ tool, result, isError }, at) => {
    if (isError === true) return;
    for (const { path, value } of leavesOf(documentOf(result), MAX_LEAVES)) {
      if ((lastUse.get(value) ?? -1) <= at) continue;
      const paths = uses.get(tool) ?? new Map<string, number>();
      uses.set(tool, paths.set(path, (paths.get(path) ?? 0) + 1));
    }
  });
  return new Map(
    [...uses].map(([tool, paths]) => [
      tool,
      [...paths]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_PATHS)
        .map(([path]) => path),
    ]),
  );
}

interface Leaf {
  readonly path: string;
  readonly value: string;
}

function leavesOf(root: JsonNode | undefined, most: number): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const open: { readonly node: JsonNode | undefined; readonly path: string }[] = [{ node: root, path: '$' }];
  for (let next = open.pop(); next !== undefined && leaves.length < most; next = open.pop()) {
    const { node, path } = next;
    if (node?.kind === 'string' || node?.kind === 'number') {
      const value = String(node.value);
      if (value.length >= MIN_VALUE_CHARS && value.length <= 200) leaves.push({ path, value });
    } else if (node?.kind === 'array') {
      for (const item of node.items) open.push({ node: item, path: `${path}[*]` });
    } else {
      for (const { key, value } of memberEntries(node))
        open.push({ node: value, path: path + formatJsonPath([key]).slice(1) });
    }
  }
  return leaves;
}

function documentOf(text: string | undefined): JsonNode | undefined {
  if (text === undefined || text.length > MAX_RESULT_CHARS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
