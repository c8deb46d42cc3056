import type { ClaimedCall } from '@holdfast/core';

export interface ClaimInput {
  readonly agentId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly call: ClaimedCall;
  /** The caller's own id of this try: sent again, it is the same claim. */
  readonly attemptId: string;
  readonly leaseMs: number;
  /** Tells a wanted repeat from the first one; empty for the first. */
  readonly repeatLabel: string;
}
