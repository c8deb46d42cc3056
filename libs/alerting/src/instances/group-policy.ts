import type { AlertSeverity } from '../alert-notification';

/** When the alerts of one group are told to one channel. */
export interface GroupPolicy {
  /** From the first alert to the first message, so that what happens together is told together. */
  readonly groupWaitMs: number;
  /** From one message to the next when alerts joined or the count grew. */
  readonly groupIntervalMs: number;
  /** From one message to the next when nothing changed; null: not again. */
  readonly repeatIntervalMs: number | null;
}

const MINUTE = 60_000;

/** A page waits for no group; what only counts is told to nobody. */
export const DEFAULT_GROUP_POLICIES = {
  page: { groupWaitMs: 0, groupIntervalMs: 5 * MINUTE, repeatIntervalMs: 240 * MINUTE },
  ticket: { groupWaitMs: 30_000, groupIntervalMs: 5 * MINUTE, repeatIntervalMs: 1_440 * MINUTE },
  count: null,
} as const satisfies Record<AlertSeverity, GroupPolicy | null>;

export interface GroupState {
  /** When the first of its alerts fired. */
  readonly firstFiredAt: number;
  readonly lastToldAt: number | null;
  /** Occurrences in all, and those that were told. */
  readonly occurrences: number;
  readonly occurrencesTold: number;
  /** Repeats stop while somebody has acknowledged. */
  readonly acknowledged: boolean;
}

export type GroupDecision =
  | { readonly kind: 'tell'; readonly reason: 'first' | 'grown' | 'repeat' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is due before the group changes. */
  | { readonly kind: 'rest' };

function dueAt(atMs: number, nowMs: number, reason: 'first' | 'grown' | 'repeat'): GroupDecision {
  return nowMs >= atMs ? { kind: 'tell', reason } : { kind: 'wait', untilMs: atMs };
}

/** Whether a group with firing alerts is to be told now, and otherwise when to look again. */
export function groupDecision(group: GroupState, policy: GroupPolicy, nowMs: number): GroupDecision {
  if (group.lastToldAt === null) return dueAt(group.firstFiredAt + policy.groupWaitMs, nowMs, 'first');
  if (group.acknowledged) return { kind: 'rest' };
  if (group.occurrences > group.occurrencesTold) {
    return dueAt(group.lastToldAt + policy.groupIntervalMs, nowMs, 'grown');
  }
  if (policy.repeatIntervalMs === null) return { kind: 'rest' };
  return dueAt(group.lastToldAt + Math.max(policy.repeatIntervalMs, policy.groupIntervalMs), nowMs, 'repeat');
}
