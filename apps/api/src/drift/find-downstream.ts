import type { DriftDownstreamResponse } from '@holdfast/contracts';
import {
  DEFAULT_READ_LIMITS,
  type FormatName,
  formatOf,
  isJsonError,
  jsonPointer,
  type JsonNode,
  type ObservedCall,
  observedCalls,
  parseJson,
  sourceOf,
  stringValue,
  valuesIn,
} from '@holdfast/core';

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });
const MOST_CALLS = 200;

interface Source {
  readonly id: string;
  readonly format: FormatName;
  readonly source: Uint8Array;
}

/** Windows and the values to look for in their calls; can be handed to a thread. */
export interface DownstreamTask {
  readonly values: readonly string[];
  readonly own: Source | undefined;
  readonly later: readonly Source[];
}

export type DownstreamCalls = DriftDownstreamResponse['calls'];

/** Calls that carry one of the values and were made after the window that showed it; each once. */
export function findDownstreamCalls({ values, own, later }: DownstreamTask): DownstreamCalls {
  const known = new Set(own === undefined ? [] : callsOf(own).map(callKey));
  const found: DownstreamCalls = [];
  for (const window of later) {
    for (const call of callsOf(window)) {
      if (known.has(callKey(call)) || found.length >= MOST_CALLS) continue;
      known.add(callKey(call));
      found.push(...usesIn(call, values).map((use) => ({ window_id: window.id, tool: call.tool, ...use })));
    }
  }
  return found.slice(0, MOST_CALLS);
}

function callKey({ tool, argumentsText }: ObservedCall): string {
  return JSON.stringify([tool, argumentsText]);
}

/** A window that cannot be read any more shows no call. */
function callsOf({ format, source }: Source): readonly ObservedCall[] {
  try {
    const answer = formatOf(format).read(UTF_8.decode(source), DEFAULT_READ_LIMITS);
    return answer.kind === 'window' ? observedCalls(answer.window) : [];
  } catch (error) {
    if (!isJsonError(error)) throw error;
    return [];
  }
}

interface Use {
  readonly path: string;
  readonly value: string;
}

function usesIn({ argumentsText }: ObservedCall, values: readonly string[]): readonly Use[] {
  const root = parsed(argumentsText);
  if (root === undefined) return valuesIn(argumentsText, values).map((value) => ({ path: '', value }));
  const uses: Use[] = [];
  const visit = (node: JsonNode, path: readonly (string | number)[]): void => {
    if (node.kind === 'array') node.items.forEach((item, index) => visit(item, [...path, index]));
    else if (node.kind === 'object') for (const { key, value } of node.members) visit(value, [...path, key]);
    else {
      const text = stringValue(node) ?? sourceOf(argumentsText, node);
      for (const value of valuesIn(text, values)) uses.push({ path: jsonPointer(path), value });
    }
  };
  visit(root, []);
  return uses;
}

function parsed(text: string): JsonNode | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!isJsonError(error)) throw error;
    return undefined;
  }
}
