import type { Choice } from './choice';

/** A loss that a plan may take, with what it frees. */
export interface PlanStep {
  readonly rank: number;
  readonly freedTokens: number;
  /** Breaks a tie: older first. */
  readonly position: number;
  /** Message from which on the window reads differently once the step is taken. */
  readonly firstMessage: number;
  /** Taken oldest first, whatever it frees: what lies side by side becomes one segment. */
  readonly inOrder: boolean;
  /** What it frees on top of the steps chosen before; an estimate that the real count corrects. */
  freedAfter(choice: Choice): number;
  apply(choice: Choice): void;
}
