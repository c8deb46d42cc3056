import type { CriticalField } from '../seal';
import type { DriftKind } from '../terms';

/** A critical field of a summary that no source holds. */
export interface LiteralFinding {
  readonly field: CriticalField;
  readonly kind: DriftKind;
  /** The source's value that comes nearest; undefined for an invented one. */
  readonly expected: string | undefined;
  readonly observed: string;
  /** Where it stands in the summary. */
  readonly offset: number;
}
