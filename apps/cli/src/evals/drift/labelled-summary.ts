import type { DriftConstraint, DriftEffect, DriftPlan, DriftSource } from '@holdfast/core';

/** A place where a summary says something else than its source; `start` is -1 for what it leaves out. */
export interface DriftLabel {
  readonly kind: string;
  readonly expected: string | undefined;
  readonly observed: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** A summary of real messages with every drift in it. */
export interface DriftCase {
  readonly id: string;
  readonly elements: readonly DriftSource[];
  readonly summary: string;
  readonly constraints: readonly DriftConstraint[];
  readonly plan: DriftPlan | undefined;
  readonly effects: readonly DriftEffect[];
  readonly faithful: boolean;
  readonly drift: readonly DriftLabel[];
  readonly note: string;
}
