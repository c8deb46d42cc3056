import { findCriticalFields, findWholeToken, type CriticalField } from '../seal';
import type { LiteralFinding } from './literal-finding';
import { nameDrift } from './name-drift';

/** A text that a summary may quote. */
export interface LiteralSource {
  readonly id: string;
  readonly text: string;
}

/**
 * Every critical field of a summary that stands in none of its sources as a whole token, in order: strict, for
 * summaries of our own. A correct summary gives an empty list.
 */
export function verifyLiterals(summary: string, sources: readonly LiteralSource[]): readonly LiteralFinding[] {
  const fields = findCriticalFields(summary);
  if (fields.length === 0) return [];
  const known = distinctFields(sources);
  return fields.flatMap((field) => {
    if (known.has(field.value) || sources.some((source) => findWholeToken(source.text, field.value) !== -1)) return [];
    const drift = nameDrift(field, [...known.values()]);
    return [{ field, kind: drift.kind, expected: drift.expected, observed: field.value, offset: field.start }];
  });
}

function distinctFields(sources: readonly LiteralSource[]): ReadonlyMap<string, CriticalField> {
  const fields = new Map<string, CriticalField>();
  for (const source of sources) {
    for (const field of findCriticalFields(source.text)) if (!fields.has(field.value)) fields.set(field.value, field);
  }
  return fields;
}
