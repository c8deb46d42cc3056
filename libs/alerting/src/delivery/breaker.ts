import type { AttemptResult } from '../outbound/attempt-result';

const DAY_MS = 86_400_000;
/** For so long nothing but failures, and the channel is disabled. */
export const MOST_FAILING_MS = 5 * DAY_MS;
/** A channel that is used once a month is not disabled for one bad day. */
const FEWEST_FAILURES = 5;

/** What is kept per channel. Times in milliseconds. */
export interface ChannelHealth {
  /** The first failure since the last success; null when the last attempt succeeded. */
  readonly failingSince: number | null;
  readonly failuresInRow: number;
  readonly lastSuccessAt: number | null;
}

export const UNTRIED_CHANNEL: ChannelHealth = { failingSince: null, failuresInRow: 0, lastSuccessAt: null };

/** An answer that asks for patience shows a receiver alive; a cancelled attempt shows nothing. */
function saysNothing(result: AttemptResult): boolean {
  return result.errorCode === 'CANCELLED' || result.errorCode === 'HTTP_RATE_LIMITED';
}

/** The health of a channel after an attempt. */
export function healthAfter(health: ChannelHealth, result: AttemptResult, atMs: number): ChannelHealth {
  if (saysNothing(result)) return health;
  if (result.outcome === 'delivered') return { failingSince: null, failuresInRow: 0, lastSuccessAt: atMs };
  return {
    ...health,
    failingSince: health.failingSince ?? atMs,
    failuresInRow: health.failuresInRow + 1,
  };
}

export type BreakerVerdict =
  | { readonly state: 'active' }
  | { readonly state: 'disabled'; readonly reason: 'gone' | 'failing'; readonly detail: string };

/**
 * Whether a channel stays in use after `result`, with `health` as it is after it. A disabled channel is for its tenant's
 * administrators to hear of by every other channel; only a person enables it again.
 */
export function breakerVerdict(health: ChannelHealth, result: AttemptResult, atMs: number): BreakerVerdict {
  if (result.outcome === 'gone') {
    return { state: 'disabled', reason: 'gone', detail: 'The receiver says that it is gone for good (410).' };
  }
  const { failingSince, failuresInRow } = health;
  if (failingSince === null || failuresInRow < FEWEST_FAILURES || atMs - failingSince < MOST_FAILING_MS) {
    return { state: 'active' };
  }
  const days = Math.floor((atMs - failingSince) / DAY_MS);
  return {
    state: 'disabled',
    reason: 'failing',
    detail: `Nothing was delivered for ${days} days: ${failuresInRow} attempts failed in a row.`,
  };
}
