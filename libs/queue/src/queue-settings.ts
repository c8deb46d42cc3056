import type { QueueName } from './job-catalogue';

/** How many finished jobs stay readable, for an operator who asks what happened. */
export interface JobRetention {
  readonly ageSeconds: number;
  readonly count: number;
}

/** Every field is required: forgetting one for a new queue does not compile. */
export interface QueueSettings {
  /** Jobs at once per process. */
  readonly concurrency: number;
  /** How long a silent worker keeps its job; renewed at half of it. No fence: the database's fencing token is. */
  readonly lockDurationMs: number;
  /** How often somebody looks for jobs of workers that fell silent. */
  readonly stalledIntervalMs: number;
  /** How often a job may be taken over from silent workers before the queue gives it up. */
  readonly maxStalledCount: number;
  readonly removeOnComplete: JobRetention;
  readonly removeOnFail: JobRetention;
  /** Tries that the queue itself makes. */
  readonly attempts: 1;
}

/** Settings per queue, each with its reason. */
export const QUEUE_SETTINGS: Readonly<Record<QueueName, QueueSettings>> = {
  'compaction-secure': {
    // One transaction of bytes to the database each: more at once only wait for the same connections.
    concurrency: 4,
    // Twice the longest pause of an event loop that was seen to lose a 30 s lock, and below the pass's own lease.
    lockDurationMs: 60_000,
    // Half the lock, so that a dead worker's job is found within one lock and a half.
    stalledIntervalMs: 30_000,
    // High, because the pass row counts the attempts; the default of 1 fails a job after the second kill.
    maxStalledCount: 10,
    // Only for looking back: the pass row has the outcome. On PostgreSQL every job reads what is kept: at a thousand it
    // ran half as many jobs a second as at a hundred.
    removeOnComplete: { ageSeconds: 3_600, count: 100 },
    // A day, so that the morning still sees the night's failures.
    removeOnFail: { ageSeconds: 86_400, count: 5_000 },
    // The reconciler retries, by the one counter in the pass row.
    attempts: 1,
  },
  'compaction-summarize': {
    // Mostly waits for a model's answer; the tokens are counted in threads of their own.
    concurrency: 4,
    // A model may think for long, but the event loop is free meanwhile and renews the lock.
    lockDurationMs: 60_000,
    stalledIntervalMs: 30_000,
    // As above: the pass row counts.
    maxStalledCount: 10,
    removeOnComplete: { ageSeconds: 3_600, count: 100 },
    removeOnFail: { ageSeconds: 86_400, count: 5_000 },
    // As above: the reconciler retries.
    attempts: 1,
  },
  'alert-delivery': {
    // Waits for receivers: a slow one must not hold up the others.
    concurrency: 16,
    // Above the deadline of an attempt.
    lockDurationMs: 60_000,
    stalledIntervalMs: 30_000,
    // As above: the delivery's row counts.
    maxStalledCount: 10,
    removeOnComplete: { ageSeconds: 3_600, count: 100 },
    removeOnFail: { ageSeconds: 86_400, count: 5_000 },
    // The delivery's row has its schedule.
    attempts: 1,
  },
};
