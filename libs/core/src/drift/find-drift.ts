import { findCriticalFields, findWholeToken, type CriticalField } from '../seal';
import type { DriftFinding, DriftInput, DriftSource } from './drift-finding';
import { nameDrift } from './name-drift';

/**
 * Every place where a summary says something else than its sources, in the order of the summary. A faithful summary
 * gives an empty list.
 */
export function findDrift({ sources, summary }: DriftInput): readonly DriftFinding[] {
  const fields = findCriticalFields(summary);
  if (fields.length === 0) return [];
  const known = distinctFields(sources);
  return fields.flatMap((field): readonly DriftFinding[] => {
    if (known.has(field.value) || sources.some((source) => findWholeToken(source.text, field.value) !== -1)) return [];
    const { kind, expected } = nameDrift(
      field,
      [...known.values()].map((one) => one.field),
    );
    const origin = expected === undefined ? undefined : known.get(expected);
    return [
      {
        kind,
        severity: kind === 'reformatted' ? 'warning' : 'error',
        expected: expected ?? null,
        observed: field.value,
        start: field.start,
        end: field.end,
        source:
          origin === undefined
            ? null
            : { elementId: origin.source.id, start: origin.field.start, end: origin.field.end },
        message:
          expected === undefined ? `${field.value} has no source` : `${field.value} where the source has ${expected}`,
      },
    ];
  });
}

interface KnownField {
  readonly source: DriftSource;
  readonly field: CriticalField;
}

function distinctFields(sources: readonly DriftSource[]): ReadonlyMap<string, KnownField> {
  const fields = new Map<string, KnownField>();
  for (const source of sources) {
    for (const field of findCriticalFields(source.text)) {
      if (!fields.has(field.value)) fields.set(field.value, { source, field });
    }
  }
  return fields;
}
