import type { AttemptResult } from '../outbound/attempt-result';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Wait before each attempt, after the one before it: that of Standard Webhooks, some three days in all. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Receivers that come back together are not called together. */
const JITTER_SHARE = 0.2;
/** A receiver may ask for no longer than the schedule itself ever waits. */
export const MOST_RETRY_AFTER_MS = 24 * HOUR;

/** `suppressed`: a silence or an inhibition held it back when it was due. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed_permanently', 'abandoned', 'suppressed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type DeliveryDecision =
  | { readonly state: 'delivered' | 'failed_permanently' | 'abandoned'; readonly attempts: number }
  | { readonly state: 'pending'; readonly attempts: number; readonly delayMs: number };

function jittered(delayMs: number, random: number): number {
  const within = Math.min(1, Math.max(0, random));
  return Math.round(delayMs * (1 - JITTER_SHARE + 2 * JITTER_SHARE * within));
}

/**
 * What becomes of a delivery after an attempt.
 * @param attemptsBefore how many attempts were counted before this one
 * @param random from 0 to 1, drawn anew for every decision
 */
export function afterAttempt(attemptsBefore: number, result: AttemptResult, random: number): DeliveryDecision {
  // A process that stops ends its attempts: that says nothing of the receiver, and is not counted.
  if (result.errorCode === 'CANCELLED') return { state: 'pending', attempts: attemptsBefore, delayMs: 0 };
  const attempts = attemptsBefore + 1;
  if (result.outcome === 'delivered') return { state: 'delivered', attempts };
  if (result.outcome === 'permanent' || result.outcome === 'gone') return { state: 'failed_permanently', attempts };
  const scheduled = ATTEMPT_DELAYS_MS[attempts];
  if (scheduled === undefined) return { state: 'abandoned', attempts };
  const asked = Math.min(MOST_RETRY_AFTER_MS, Math.max(0, result.retryAfterMs ?? 0));
  return { state: 'pending', attempts, delayMs: Math.max(asked, jittered(scheduled, random)) };
}

/**
 * Whether a delivery may be sent now, given the deliveries of the same alert to the same channel: a resolve or an
 * acknowledge never overtakes its trigger.
 */
export function mayBeSent(action: 'trigger' | 'acknowledge' | 'resolve', triggerState: DeliveryState | null): boolean {
  return action === 'trigger' || triggerState !== 'pending';
}
