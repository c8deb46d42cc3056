import { failureOf } from './network-failure';
import type { AttemptFailure } from './attempt-result';

/** One deadline over every phase of an attempt, and the caller's own cancellation. */
export interface AttemptClock {
  readonly signal: AbortSignal;
  /** Why the signal was aborted; null while it was not. */
  stopped(): AttemptFailure | null;
  elapsedMs(): number;
  /** Rejects when the signal aborts: for waits that know no signal. */
  race<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

export function startAttemptClock(deadlineMs: number, caller: AbortSignal | undefined): AttemptClock {
  const startedAt = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  const signal = caller === undefined ? deadline.signal : AbortSignal.any([deadline.signal, caller]);
  return {
    signal,
    stopped() {
      if (caller?.aborted === true && !deadline.signal.aborted) return failureOf('CANCELLED');
      return deadline.signal.aborted ? failureOf('DEADLINE_EXCEEDED') : null;
    },
    elapsedMs: () => Math.round(performance.now() - startedAt),
    race(work) {
      return new Promise((resolve, reject) => {
        const stop = () => reject(new Error('stopped'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      });
    },
    end: () => clearTimeout(timer),
  };
}
