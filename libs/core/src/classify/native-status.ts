import type { EffectStatus } from '../terms';

/** Words that callers use for a status; any other word means that the action was fired. */
const WORDS: Readonly<Record<string, EffectStatus>> = {
  intended: 'intended',
  planned: 'intended',
  proposed: 'intended',
  awaiting_approval: 'awaiting_approval',
  pending_approval: 'awaiting_approval',
  needs_approval: 'awaiting_approval',
  done: 'succeeded',
  success: 'succeeded',
  succeeded: 'succeeded',
  complete: 'succeeded',
  completed: 'succeeded',
  failed: 'failed',
  declined: 'declined',
  rejected: 'declined',
  denied: 'declined',
  unknown: 'unknown',
  // An error, unlike a failure, may have come after the action was applied.
  error: 'unknown',
  errored: 'unknown',
  timeout: 'unknown',
  timed_out: 'unknown',
};

/** Words for an action that goes on: its element is still waited for. */
const GOING_ON: ReadonlySet<string> = new Set(['pending', 'running', 'queued', 'in_progress']);

/** The status for a caller's own word; absent means `fired`, as in the seed. */
export function nativeStatus(raw: string | undefined): EffectStatus {
  const word = normal(raw);
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? 'fired') : 'fired';
}

/** True when the caller's word says that the action has not come to its end. */
export function isGoingOn(raw: string | undefined): boolean {
  const status = nativeStatus(raw);
  return status === 'intended' || status === 'awaiting_approval' || GOING_ON.has(normal(raw));
}

function normal(raw: string | undefined): string {
  return (raw ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
}
