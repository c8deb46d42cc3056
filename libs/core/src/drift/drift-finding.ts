import type { DriftKind } from '../terms';

/** A place where a summary says something else than its sources. */
export interface DriftFinding {
  readonly kind: DriftKind;
  /** `warning` for the same value in other bytes. */
  readonly severity: 'error' | 'warning';
  /** What the sources say; null for an invented value. */
  readonly expected: string | null;
  /** What the summary says; null where it left something out. */
  readonly observed: string | null;
  /** UTF-16 offsets in the summary; -1 where something was left out. */
  readonly start: number;
  readonly end: number;
  /** Where `expected` stands. */
  readonly source: DriftOrigin | null;
  readonly message: string;
}

/** A place in a source, at UTF-16 offsets. */
export interface DriftOrigin {
  readonly elementId: string;
  readonly start: number;
  readonly end: number;
}

/** A text that a summary stands for. */
export interface DriftSource {
  readonly id: string;
  readonly role?: string;
  readonly kind?: string;
  readonly text: string;
}

/** A rule of the sources; `required` where the summary has to state it. */
export interface DriftConstraint {
  readonly text: string;
  readonly required: boolean;
}

/** Where the plan stands. */
export interface DriftPlan {
  readonly step: number;
  readonly of: number | undefined;
  readonly text: string;
}

/** An effect of the sources and how it ended, in the ledger's or the caller's own words. */
export interface DriftEffect {
  readonly action: string;
  readonly target: string;
  readonly idempotencyKey: string | null;
  readonly status: string;
}

/**
 * `strict` for summaries of our own: every literal has a source offset. `tolerant` for those of others: values that
 * were derived rightly are no drift.
 */
export type DriftMode = 'strict' | 'tolerant';

export interface DriftInput {
  readonly mode: DriftMode;
  readonly sources: readonly DriftSource[];
  readonly summary: string;
  readonly constraints?: readonly DriftConstraint[];
  readonly plan?: DriftPlan | null;
  readonly effects?: readonly DriftEffect[];
}
