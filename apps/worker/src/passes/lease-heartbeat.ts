import { isHoldfastError } from '@holdfast/core';

export interface LeaseHeartbeat {
  /** Aborted with FENCED as the reason when the lease is lost. */
  readonly signal: AbortSignal;
  /** Ends it and waits for the beat under way, so that no beat follows what comes next. */
  stop(): Promise<void>;
}

/** Beats per lease: two may be lost before it runs out. */
const BEATS_PER_LEASE = 3;

/**
 * Extends a lease until stopped. A beat that fails for want of the database is tried again with the next one; one that
 * is fenced off ends the pass.
 */
export function startHeartbeat(
  beat: () => Promise<void>,
  leaseMs: number,
  onError: (error: unknown) => void,
): LeaseHeartbeat {
  const lost = new AbortController();
  let stopped = false;
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (underWay !== undefined || stopped) return;
    underWay = beat()
      .catch((error: unknown) => {
        if (isHoldfastError(error) && error.code === 'FENCED') lost.abort(error);
        else onError(error);
      })
      .finally(() => (underWay = undefined));
  }, leaseMs / BEATS_PER_LEASE);
  return {
    signal: lost.signal,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await underWay;
    },
  };
}
