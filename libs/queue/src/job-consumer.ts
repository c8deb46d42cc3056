import type { Job as BullJob, Processor } from 'bullmq';
import type { WorkerEnding } from './bounded-worker';
import { JOB_KINDS, type JobKind, type JobPayload, parseJob, QUEUE_NAMES, type QueueName } from './job-catalogue';
import type { QueueDriver, ReceivingQueue } from './queue-driver';
import { QueueError } from './queue-error';
import type { Observe } from './queue-notice';
import type { QueueSettings } from './queue-settings';

/** A job in the hands of a handler. */
export interface ReceivedJob {
  readonly payload: JobPayload;
  readonly jobId: string;
  /** Aborted when the lock is lost or the process shuts down: stop, write nothing more. It may come late, or never. */
  readonly signal: AbortSignal;
}

/** Returns when the job is done, a refusal included; what it throws fails the job for good. May see a job twice. */
export type JobHandler = (job: ReceivedJob) => Promise<void>;

/** One handler for every job of the catalogue: a missing one does not compile, and is refused at run time too. */
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;

export interface ConsumerActivity {
  readonly runningJobs: number;
  /** Null before the first. */
  readonly lastTakenAt: Date | null;
}

/**
 * Takes jobs and runs their handlers.
 *
 * States: made -> starting -> consuming -> closing -> closed. A start that fails leads back to made.
 */
export interface JobConsumer {
  /** Prepares the store and takes jobs from every queue. Throws QUEUE_UNAVAILABLE, QUEUE_EVICTION_UNSAFE, QUEUE_SCHEMA_MISSING. */
  start(): Promise<void>;
  activity(): ConsumerActivity;
  /**
   * Takes no more jobs and waits for those that run; shortly before the deadline (in ms) aborts their signals, at the
   * deadline lets go of what is left. Answers the worst ending of all queues.
   */
  close(deadlineMs: number): Promise<WorkerEnding>;
}

const WORSE: readonly WorkerEnding[] = ['drained', 'aborted', 'abandoned'];

/** Throws JOB_HANDLER_MISSING when a job of the catalogue has no handler. */
export function createJobConsumer(
  driver: QueueDriver,
  handlers: JobHandlers,
  settings: Readonly<Record<QueueName, QueueSettings>>,
  observe: Observe,
): JobConsumer {
  const missing = JOB_KINDS.filter((kind) => typeof handlers[kind] !== 'function');
  if (missing.length > 0) throw new QueueError('JOB_HANDLER_MISSING', `no handler for ${missing.join(', ')}`);

  let running: ReceivingQueue[] = [];
  let starting: Promise<void> | undefined;
  let closing: Promise<WorkerEnding> | undefined;
  let runningJobs = 0;
  let lastTakenAt: Date | null = null;

  const process = async (
    queue: QueueName,
    bullJob: BullJob<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const jobId = bullJob.id ?? '';
    const takenAt = Date.now();
    const waitMs = Math.max(0, takenAt - bullJob.timestamp);
    runningJobs += 1;
    lastTakenAt = new Date(takenAt);
    try {
      const job = parseJob(bullJob.name, bullJob.data);
      await handlers[job.kind]({ payload: job.payload, jobId, signal: signal ?? new AbortController().signal });
      observe({ type: 'job_completed', kind: job.kind, jobId, waitMs, runMs: Date.now() - takenAt });
    } catch (error) {
      observe({ type: 'job_failed', queue, jobId, error, waitMs, runMs: Date.now() - takenAt });
      throw error;
    } finally {
      runningJobs -= 1;
    }
  };

  const start = async (): Promise<void> => {
    await driver.prepare();
    const opened: ReceivingQueue[] = [];
    try {
      for (const queue of QUEUE_NAMES) {
        // BullMQ hands the signal only to a function of three declared parameters.
        const processor: Processor<unknown, void> = (job, _token, signal) => process(queue, job, signal);
        opened.push(await driver.openReceiving(queue, processor, settings[queue]));
      }
    } catch (error) {
      await Promise.allSettled(opened.map((queue) => queue.closeWithin(0)));
      throw error;
    }
    running = opened;
    if (closing === undefined) for (const queue of running) queue.run();
  };

  const close = async (deadlineMs: number): Promise<WorkerEnding> => {
    await starting?.catch(() => undefined);
    const endings = await Promise.all(running.map((queue) => queue.closeWithin(deadlineMs)));
    return endings.reduce(
      (worst, ending) => (WORSE.indexOf(ending) > WORSE.indexOf(worst) ? ending : worst),
      'drained',
    );
  };

  return {
    start() {
      if (closing !== undefined) return Promise.reject(new QueueError('QUEUE_CLOSED', 'this consumer is closed'));
      starting ??= start().catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      return starting;
    },

    activity: () => ({ runningJobs, lastTakenAt }),

    close(deadlineMs) {
      closing ??= close(deadlineMs);
      return closing;
    },
  };
}
