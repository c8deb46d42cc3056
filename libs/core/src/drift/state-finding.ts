import type { DriftKind } from '../terms';

/** A wrong or missing statement about a plan, a constraint or an effect. */
export interface StateFinding {
  readonly kind: DriftKind;
  /** Text of the plan, constraint or effect. */
  readonly expected: string;
  /** -1 where something was left out. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** Words differ so much that it may be told in others. */
  readonly isDoubtful?: boolean;
}
