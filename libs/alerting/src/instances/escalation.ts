import type { AlertInstance } from './alert-instance';

/** Whom to tell when nobody has acknowledged for a while. */
export interface EscalationStep {
  readonly afterMs: number;
  readonly channelIds: readonly string[];
}

export interface EscalationDue {
  /** Indexes into the steps, to be told now, in order. */
  readonly due: readonly number[];
  /** When the next one is due; null when none is left or somebody took over. */
  readonly nextAt: number | null;
}

/**
 * The steps that are due and were not told yet. They are counted from when the alert fired; acknowledging or resolving it
 * ends them.
 */
export function escalationDue(
  steps: readonly EscalationStep[],
  instance: AlertInstance,
  toldSteps: ReadonlySet<number>,
  nowMs: number,
): EscalationDue {
  const { firedAt } = instance;
  if (instance.state !== 'firing' || firedAt === null) return { due: [], nextAt: null };
  const open = steps
    .map(({ afterMs }, index) => ({ index, at: firedAt + afterMs }))
    .filter(({ index }) => !toldSteps.has(index))
    .sort((a, b) => a.at - b.at || a.index - b.index);
  return {
    due: open.filter(({ at }) => at <= nowMs).map(({ index }) => index),
    nextAt: open.find(({ at }) => at > nowMs)?.at ?? null,
  };
}
