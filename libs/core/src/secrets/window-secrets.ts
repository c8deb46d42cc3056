import type { ToolContracts } from '../classify/tool-contract';
import { scalarText, sourceReader } from '../effects/canonical-arguments';
import { items, memberEntries, parseJson, type JsonNode } from '../json';
import { selectJsonPath } from '../json-path';
import type { Part } from '../window/element';
import { findSecrets } from './find-secrets';
import { KnownSecrets } from './known-secrets';

/** Results above this are looked through for secrets by shape, not for declared paths. */
const MAX_PARSED_CHARS = 2_000_000;
/** A declared container has this many leaves at most that are secrets each. */
const MAX_LEAVES = 1_000;

/** What of a part may hold or declare a secret. */
export type SearchedPart = Pick<Part, 'text' | 'call' | 'result' | 'native'>;

/**
 * The secrets of a window: declared by the contracts of its calls (`secret` paths of arguments and results), and found
 * by shape. A value that is secret at one place is secret at every other.
 */
export function secretsOfWindow(parts: readonly SearchedPart[], contracts: ToolContracts): KnownSecrets {
  const known = new KnownSecrets();
  for (const part of parts) {
    for (const value of declaredValues(part, parts, contracts)) known.add(value, 'declared');
    for (const { kind, start, end } of findSecrets(part.text)) {
      const value = part.text.slice(start, end);
      // A password that is a plain word (`postgres`) is masked where it stands as one, not wherever the word is said.
      if (value.length >= 8 && (/\d/u.test(value) || kind !== 'password')) known.add(value, kind);
      // Of a key of many lines a result may keep one.
      if (kind === 'private_key')
        for (const line of value.split(/\s+|\\[nr]/u)) if (line.length >= 16) known.add(line, kind);
    }
  }
  return known;
}

function declaredValues(
  part: SearchedPart,
  parts: readonly SearchedPart[],
  contracts: ToolContracts,
): readonly string[] {
  const tool = part.call?.tool ?? parts[part.result?.call ?? -1]?.call?.tool ?? part.native?.action;
  if (tool === undefined || !Object.hasOwn(contracts, tool)) return [];
  const paths = contracts[tool]?.secret ?? [];
  if (paths.length === 0) return [];
  const json = part.call === undefined ? parsed(part.text) : part.call.args;
  if (json === undefined) return [];
  const read = sourceReader(json, part.text);
  return paths
    .flatMap((path) => selectJsonPath(json, path))
    .flatMap((node) =>
      leavesOf(node).flatMap((leaf) => {
        const value = leaf.kind === 'boolean' ? undefined : scalarText(leaf, read);
        return value === undefined ? [] : [value];
      }),
    );
}

function leavesOf(root: JsonNode): readonly JsonNode[] {
  const leaves: JsonNode[] = [];
  const pending: JsonNode[] = [root];
  for (let at = 0; at < pending.length && leaves.length < MAX_LEAVES; at += 1) {
    const node = pending[at];
    if (node === undefined) continue;
    if (node.kind === 'object') pending.push(...memberEntries(node).map(({ value }) => value));
    else if (node.kind === 'array') pending.push(...items(node));
    else leaves.push(node);
  }
  return leaves;
}

function parsed(text: string): JsonNode | undefined {
  if (text.length > MAX_PARSED_CHARS || !/^\s*[[{"]/u.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
