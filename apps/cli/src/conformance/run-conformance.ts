import { isDeepStrictEqual } from 'node:util';
import { CompactionInvariantError, safeCompact, type SafeEffect, type SafeElement } from '@holdfast/core';
import { CliError } from '../cli-error';

/** What a vector says must come out: a window with all side effects, or a typed no. */
type Expectation =
  | {
      readonly result: readonly unknown[];
      readonly summarized_ids: readonly unknown[];
      readonly ledger: readonly unknown[];
      readonly scratch_writes: readonly unknown[];
    }
  | { readonly raises: string; readonly detail: unknown };

interface Vector {
  readonly name: string;
  readonly window: readonly SafeElement[];
  readonly budget: number;
  readonly expect: Expectation;
}

export interface ConformanceResult {
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Most characters that the stub summarizer gives back. */
const SUMMARY_CHARACTERS = 20;

const RAISES: Readonly<Record<string, string>> = {
  AMBIGUOUS_ELEMENT: 'ambiguous',
  BUDGET_UNREACHABLE: 'budget',
  EFFECT_INCOMPLETE: 'incomplete',
};

/** Runs vectors of `safeCompact`. Throws CliError when the document holds none; `path` is for that message. */
export function runConformance(document: unknown, path: string): ConformanceResult {
  const vectors = vectorsOf(document);
  if (vectors === undefined || vectors.length === 0) {
    throw new CliError(`${path} holds no vectors: expected {"cases": [{"name", "window", "budget", "expect"}]}.`);
  }
  const failures = vectors.flatMap((vector) => {
    const actual = run(vector);
    if (isDeepStrictEqual(plain(actual), plain(vector.expect))) return [];
    const reason = `expected ${JSON.stringify(vector.expect)}, got ${JSON.stringify(actual)}`;
    return [{ name: vector.name, reason: reason.length > 600 ? `${reason.slice(0, 597)}...` : reason }];
  });
  return { passed: vectors.length - failures.length, failures };
}

/** What a host does for `safeCompact`, as the vectors lay down: characters are tokens, a stub summarizes. */
function run(vector: Vector): Expectation {
  const ledger: SafeEffect[] = [];
  const scratchWrites: unknown[] = [];
  const summarizedIds: unknown[] = [];
  try {
    const result = safeCompact<SafeElement>(vector.window, vector.budget, {
      scratchStore: { write: (id, content) => void scratchWrites.push([id, content]) },
      effectLedger: { record: (effect) => void ledger.push(effect) },
      summarize: (elements) => {
        summarizedIds.push(...elements.map(({ id }) => id));
        return { id: 'summary', content: 's'.repeat(Math.min(SUMMARY_CHARACTERS, characters(elements))) };
      },
      estimateTokens: characters,
    });
    return { result, summarized_ids: summarizedIds, ledger, scratch_writes: scratchWrites };
  } catch (error) {
    if (!(error instanceof CompactionInvariantError)) throw error;
    return { raises: RAISES[error.code] ?? error.code, detail: error.detail };
  }
}

/** Code points, as the reference counts them; no content counts nothing. */
function characters(elements: readonly SafeElement[]): number {
  return elements.reduce((sum, { content }) => sum + [...(content ?? '')].length, 0);
}

/** As it would be written: absent and undefined are the same, key order is none. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function vectorsOf(document: unknown): readonly Vector[] | undefined {
  if (typeof document !== 'object' || document === null || !('cases' in document)) return undefined;
  const { cases } = document;
  return Array.isArray(cases) && cases.every(isVector) ? cases : undefined;
}

function isVector(value: unknown): value is Vector {
  if (typeof value !== 'object' || value === null) return false;
  const { name, window, budget, expect } = value as Partial<Record<keyof Vector, unknown>>;
  return (
    typeof name === 'string' &&
    typeof budget === 'number' &&
    typeof expect === 'object' &&
    expect !== null &&
    Array.isArray(window) &&
    window.every((element) => typeof element === 'object' && element !== null)
  );
}
