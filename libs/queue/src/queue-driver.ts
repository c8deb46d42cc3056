import { type IQueueBackend, type JobsOptions, type Processor, type Queue, type WorkerOptions } from 'bullmq';
import type { BoundedWorker, WorkerEnding } from './bounded-worker';
import { within } from './deadline';
import { asQueueError } from './queue-error';
import type { QueueBackendKind } from './queue-config';
import type { Observe } from './queue-notice';
import type { QueueName } from './job-catalogue';
import type { RedisSafety } from './redis-safety';
import type { QueueDepth } from './queue-depth';
import type { QueueSettings } from './queue-settings';

/** A job as BullMQ takes it. */
export interface OutgoingJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobsOptions;
}

/** The sending end of one queue, connected. */
export interface SendingQueue {
  add(jobs: readonly OutgoingJob[]): Promise<void>;
  close(): Promise<void>;
}

/** The looking end of one queue, connected; changes nothing. */
export interface ReadingQueue {
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

/** The receiving end of one queue, connected but not fetching before `run`. */
export interface ReceivingQueue {
  run(): void;
  closeWithin(deadlineMs: number): Promise<WorkerEnding>;
}

/** What differs between the stores. */
export interface QueueDriver {
  readonly kind: QueueBackendKind;
  /** Makes the store ready, or throws why it must not be used. */
  prepare(): Promise<void>;
  /** Answers or throws in bounded time, whether the store is there or not. */
  ping(): Promise<void>;
  /** Undefined where the store is not Redis. */
  redisSafety(): Promise<RedisSafety | undefined>;
  openSending(queue: QueueName): Promise<SendingQueue>;
  openReading(queue: QueueName): Promise<ReadingQueue>;
  openReceiving(
    queue: QueueName,
    processor: Processor<unknown, void>,
    settings: QueueSettings,
  ): Promise<ReceivingQueue>;
  close(): Promise<void>;
}

/**
 * How long a worker waits before it asks again after a lost connection. BullMQ's own 15 s would leave jobs waiting that
 * long after every restart of the store.
 */
const RETRY_AFTER_MS = 1_000;

/** The settings in BullMQ's words. */
export function workerOptions(settings: QueueSettings): Omit<WorkerOptions<never>, 'connection'> {
  return {
    autorun: false,
    concurrency: settings.concurrency,
    lockDuration: settings.lockDurationMs,
    stalledInterval: settings.stalledIntervalMs,
    maxStalledCount: settings.maxStalledCount,
    removeOnComplete: { age: settings.removeOnComplete.ageSeconds, count: settings.removeOnComplete.count },
    removeOnFail: { age: settings.removeOnFail.ageSeconds, count: settings.removeOnFail.count },
    runRetryDelay: RETRY_AFTER_MS,
  };
}

export function sendingQueue<B extends IQueueBackend, C>(
  queue: Queue<unknown, unknown, string, unknown, unknown, string, B, C>,
): SendingQueue {
  return {
    async add(jobs) {
      const [first, ...more] = jobs;
      if (first === undefined) return;
      if (more.length === 0) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk(jobs.map((job) => ({ name: job.name, data: job.data, opts: job.opts })));
    },
    close: () => queue.close(),
  };
}

const DEPTH_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** `oldestAt` says where the oldest of so many waiting jobs is asked for, as the store counts places. */
export function readingQueue<B extends IQueueBackend, C>(
  queue: Queue<unknown, unknown, string, unknown, unknown, string, B, C>,
  oldestAt: (waiting: number) => { readonly first: number; readonly last: number },
): ReadingQueue {
  const oldestWaitingMs = async (waiting: number): Promise<number | undefined> => {
    if (waiting === 0) return undefined;
    const { first, last } = oldestAt(waiting);
    const [id] = await queue.getRanges(['waiting'], first, last, true);
    const job = id === undefined ? undefined : await queue.getJob(id);
    return job === undefined ? undefined : Math.max(0, Date.now() - job.timestamp);
  };
  return {
    async depth() {
      const counts = await queue.getJobCounts(...DEPTH_STATES);
      const waiting = counts['waiting'] ?? 0;
      return {
        waiting,
        active: counts['active'] ?? 0,
        delayed: counts['delayed'] ?? 0,
        failed: counts['failed'] ?? 0,
        oldestWaitingMs: await oldestWaitingMs(waiting),
      };
    },
    close: () => queue.close(),
  };
}

/** Reports what a worker does besides its jobs; a job whose lock is lost is told to stop. */
export function receivingQueue<B extends IQueueBackend, C>(
  name: QueueName,
  worker: BoundedWorker<B, C>,
  observe: Observe,
  release: () => void = () => undefined,
): ReceivingQueue {
  worker.on('error', (error) => observe({ type: 'connection_error', source: name, error }));
  worker.on('stalled', (jobId) => observe({ type: 'job_stalled', queue: name, jobId }));
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) worker.cancelJob(jobId, 'the lock of this job is lost');
    observe({ type: 'lock_lost', queue: name, jobIds });
  });
  return {
    run() {
      worker.run().catch((error: unknown) => observe({ type: 'worker_stopped', queue: name, error }));
    },
    async closeWithin(deadlineMs) {
      try {
        return await worker.closeWithin(deadlineMs);
      } finally {
        release();
      }
    },
  };
}

/** Opens something that may hang or fail half way, and closes it again when it does. */
export async function openOrClose<T>(doing: string, open: () => Promise<T>, close: () => Promise<unknown>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    close().catch(() => undefined);
    throw asQueueError(error, doing);
  }
}

interface OpeningQueue {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

/** The queue once it is ready to send or to look; closed when that takes longer than `timeoutMs`. */
export async function readyQueue<Q extends OpeningQueue>(
  queue: Q,
  opening: { readonly name: QueueName; readonly use: 'producer' | 'reader'; readonly timeoutMs: number },
  observe: Observe,
): Promise<Q> {
  const { name, use, timeoutMs } = opening;
  const doing = `opening ${name}`;
  queue.on('error', (error) => observe({ type: 'connection_error', source: use, error }));
  return openOrClose(
    doing,
    async () => {
      await within(queue.waitUntilReady(), timeoutMs, doing);
      return queue;
    },
    () => queue.close(),
  );
}
