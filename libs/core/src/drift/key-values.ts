import type { LiteralDrift } from './literal-drift';
import { unitNamed } from './units';

/** A `key=value` of the summary whose key the sources give other values only. */
export interface KeyValueFinding {
  readonly start: number;
  readonly end: number;
  readonly drift: LiteralDrift;
}

const ASSIGNMENT =
  /(?<![\w$.])([A-Za-z_][\w.-]{1,40})(\s?=\s?|["']?\s?:\s?(?=["']))(["']?)([\w.+-]{0,59}[\w+-])\3(?![\w(])/g;
const MAX_VALUES = 50;

/** Every assignment of the summary that contradicts the sources. */
export function findKeyValues(summary: string, source: string): readonly KeyValueFinding[] {
  const own = [...summary.matchAll(ASSIGNMENT)];
  if (own.length === 0) return [];
  const wanted = new Set(own.map(([, key = '']) => key));
  const values = new Map<string, Map<string, number>>();
  for (const match of source.matchAll(ASSIGNMENT)) {
    const [, key = '', , , value = ''] = match;
    if (!wanted.has(key)) continue;
    const known = values.get(key) ?? new Map<string, number>();
    if (known.size < MAX_VALUES && !known.has(value)) known.set(value, match.index);
    values.set(key, known);
  }
  return own.flatMap((match): readonly KeyValueFinding[] => {
    const [whole, key = '', , , value = ''] = match;
    const known = values.get(key);
    if (known === undefined || known.has(value) || known.size > 3) return [];
    const [expected, at] = [...known][0] ?? ['', -1];
    const start = match.index;
    return [{ start, end: start + whole.length, drift: { kind: kindOf(value, expected), expected, at } }];
  });
}

function kindOf(value: string, expected: string): LiteralDrift['kind'] {
  if (/^[\d.]+$/.test(value) && /^[\d.]+$/.test(expected)) return 'number_changed';
  return unitNamed(value) !== undefined && unitNamed(expected) !== undefined ? 'unit_changed' : 'name_changed';
}
