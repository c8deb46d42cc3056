import { HoldfastError, type PassRequest, policyFor } from '@holdfast/core';
import type { ClaimedPass } from '@holdfast/persistence';

/** Accepting a window has checked its size already. */
const READ_LIMITS = { maxDepth: 1_000, maxElements: 1_000_000 };

/** What the core is asked for. */
export function requestOf(claim: ClaimedPass, source: string): PassRequest {
  const { format, mode, recall, contracts, policy, budgetTokens, aimTokens, reclaimTargetTokens, sealKey, marks } =
    claim;
  return {
    ...{ format, source, mode, recall, contracts, budgetTokens, sealKey, marks, limits: READ_LIMITS },
    policy: policyFor(format, policy),
    ...(aimTokens === undefined ? {} : { aimTokens }),
    ...(reclaimTargetTokens === undefined ? {} : { reclaimTargetTokens }),
  };
}

/** The error of bytes that are no text. */
export function unreadable(cause: unknown): HoldfastError {
  const error = new HoldfastError(
    'WINDOW_NOT_JSON',
    'The window is no text in UTF-8',
    'Send the window as JSON in UTF-8.',
  );
  error.cause = cause;
  return error;
}
