import { Histogram, type Registry } from 'prom-client';
import { absentGauge, absentGauges, closedCounter, plainCounter } from './metric-families';
import { DISPATCH_REASONS, type DispatchReason } from './metric-terms';

/** From a hop on an idle machine to a queue that stood still. */
const WAIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** Jobs in one queue by state, and how long the oldest one waits; 0 when none does. */
export interface QueueJobs {
  readonly queue: string;
  readonly jobs: Readonly<Record<string, number>>;
  readonly oldestWaitingSeconds: number;
}

/** Whether Redis keeps what it is given. */
export interface RedisSafety {
  readonly noeviction: boolean;
  readonly appendOnly: boolean;
  /** It went back to an earlier state, or was emptied, since the last look. */
  readonly rolledBack: boolean;
}

export interface QueueMetrics {
  countDispatch(reason: DispatchReason, jobs?: number): void;
  /** From sending to taking a job, by the clocks of the two hosts. `queue` is one of the catalogue. */
  observeQueueWait(queue: string, seconds: number): void;
  /** Makes the waits of these queues start at zero. */
  expectQueues(queues: readonly string[]): void;
  /** Where the jobs in the queues are learnt from, at every rendering; a queue that is not answered for is absent. */
  watchQueues(look: () => Promise<readonly QueueJobs[]>): void;
  /** Where the state of Redis is learnt from, at every rendering; absent where there is no Redis. */
  watchRedis(look: () => Promise<RedisSafety | undefined>): void;
}

/** `refresh` looks again; it never rejects. */
export function queueMetrics(registry: Registry): {
  readonly metrics: QueueMetrics;
  readonly refresh: () => Promise<void>;
} {
  const showJobs = absentGauges(
    registry,
    'holdfast_queue_jobs',
    'Jobs in a queue, by state; absent while the queue does not answer',
    ['queue', 'state'],
  );
  const showAge = absentGauges(
    registry,
    'holdfast_queue_oldest_waiting_seconds',
    'Age of the oldest waiting job of a queue; 0 when none waits, absent while the queue does not answer',
    ['queue'],
  );
  const showNoeviction = absentGauge(
    registry,
    'holdfast_redis_noeviction_ok',
    '1 while Redis never evicts, else 0; absent without Redis or while it does not answer',
  );
  const showAppendOnly = absentGauge(
    registry,
    'holdfast_redis_aof_ok',
    '1 while Redis writes an append-only file without errors, else 0; absent without Redis or while it does not answer',
  );
  const countRollback = plainCounter(
    registry,
    'holdfast_redis_rollbacks_detected_total',
    'Times that Redis was found in an earlier state, or emptied; the reconciler sends again what is due',
  );

  const waits = new Histogram({
    name: 'holdfast_queue_wait_seconds',
    help: 'Time that a job waited in its queue',
    labelNames: ['queue'],
    buckets: WAIT_SECONDS,
    registers: [registry],
  });
  let lookAtQueues = async (): Promise<readonly QueueJobs[]> => [];
  let lookAtRedis = async (): Promise<RedisSafety | undefined> => undefined;

  const refreshQueues = async (): Promise<void> => {
    const seen = await lookAtQueues().catch(() => []);
    showJobs(
      seen.flatMap(({ queue, jobs }) => Object.entries(jobs).map(([state, n]) => [{ queue, state }, n] as const)),
    );
    showAge(seen.map(({ queue, oldestWaitingSeconds }) => [{ queue }, oldestWaitingSeconds]));
  };
  const refreshRedis = async (): Promise<void> => {
    const seen = await lookAtRedis().catch(() => undefined);
    showNoeviction(seen === undefined ? undefined : Number(seen.noeviction));
    showAppendOnly(seen === undefined ? undefined : Number(seen.appendOnly));
    if (seen?.rolledBack === true) countRollback();
  };

  return {
    metrics: {
      countDispatch: closedCounter(
        registry,
        'holdfast_dispatches_total',
        'Jobs handed to the queue, by reason',
        'reason',
        DISPATCH_REASONS,
      ),
      observeQueueWait: (queue, seconds) => waits.observe({ queue }, seconds),
      expectQueues(queues) {
        for (const queue of queues) waits.zero({ queue });
      },
      watchQueues(look) {
        lookAtQueues = look;
      },
      watchRedis(look) {
        lookAtRedis = look;
      },
    },
    refresh: async () => void (await Promise.all([refreshQueues(), refreshRedis()])),
  };
}
