import type { TokenCounter } from '@holdfast/core';
import type { PhaseTimes } from '@holdfast/persistence';

/** A phase that a thread can see from within. */
export type ComputedPhase = 'classify' | 'plan' | 'secure' | 'summarize' | 'verify';

/** When a phase ran, in milliseconds since 1970. */
export interface PhaseInterval {
  readonly phase: ComputedPhase;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Milliseconds since 1970, and finer. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Measures one phase at a time. */
export class PhaseWatch {
  private readonly intervals: PhaseInterval[] = [];
  private running: { readonly phase: ComputedPhase; readonly startedAtMs: number } | undefined;

  start(phase: ComputedPhase): void {
    this.stop();
    this.running = { phase, startedAtMs: nowMs() };
  }

  stop(): void {
    if (this.running === undefined) return;
    this.intervals.push({ ...this.running, endedAtMs: nowMs() });
    this.running = undefined;
  }

  /** The first count is of the window, reading it and classifying come with it; what is counted later is planning. */
  splitting(counter: TokenCounter): TokenCounter {
    let counts = 0;
    return {
      name: counter.name,
      exact: counter.exact,
      count: (texts) => {
        counts += 1;
        if (counts === 2) this.start('plan');
        return counter.count(texts);
      },
    };
  }

  seen(): { readonly times: PhaseTimes; readonly phases: readonly PhaseInterval[] } {
    const times = new Map<string, number>();
    for (const { phase, startedAtMs, endedAtMs } of this.intervals) {
      times.set(`${phase}Ms`, (times.get(`${phase}Ms`) ?? 0) + endedAtMs - startedAtMs);
    }
    return { times: Object.fromEntries(times), phases: [...this.intervals] };
  }
}
