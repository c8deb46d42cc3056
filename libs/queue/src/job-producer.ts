import { within } from './deadline';
import { type JobDispatch, jobIdOf, parseJob, queueOf, type QueueName } from './job-catalogue';
import type { OutgoingJob, QueueDriver, SendingQueue } from './queue-driver';
import { asQueueError, QueueError } from './queue-error';
import type { QueueSettings } from './queue-settings';

/** Longest time that a send takes, success or not, once a connection stands. */
const SEND_TIMEOUT_MS = 2_500;

/**
 * Sends jobs, at least once. A send either reaches the queue or throws in bounded time; it never waits for the store to
 * come back, because the caller's outbox does. The same dispatch sent twice is one job for as long as the queue keeps it.
 */
export interface JobProducer {
  /** Throws QUEUE_UNAVAILABLE (retryable), JOB_PAYLOAD_INVALID, JOB_KIND_UNKNOWN, JOB_VERSION_UNKNOWN or QUEUE_CLOSED. */
  send(job: JobDispatch): Promise<void>;
  /**
   * One round trip per queue. Throws as `send` does; each queue takes all of its jobs or none, and jobs of a queue before
   * the failing one are sent: repeat the whole call.
   */
  sendAll(jobs: readonly JobDispatch[]): Promise<void>;
  close(): Promise<void>;
}

export function createJobProducer(
  driver: QueueDriver,
  settings: Readonly<Record<QueueName, QueueSettings>>,
): JobProducer {
  const open = new Map<QueueName, Promise<SendingQueue>>();
  let closed = false;

  const openQueue = (name: QueueName): Promise<SendingQueue> => {
    const known = open.get(name);
    if (known !== undefined) return known;
    const opening = driver.openSending(name);
    open.set(name, opening);
    // An attempt that failed must not stay: the next send tries anew.
    opening.catch(() => open.delete(name));
    return opening;
  };

  const outgoing = (job: JobDispatch): { queue: QueueName; job: OutgoingJob } => {
    const { kind, payload } = parseJob(job.kind, job.payload);
    const queue = queueOf(kind);
    return {
      queue,
      job: { name: kind, data: payload, opts: { jobId: jobIdOf(job), attempts: settings[queue].attempts } },
    };
  };

  const add = async (name: QueueName, jobs: readonly OutgoingJob[]): Promise<void> => {
    const doing = `sending to ${name}`;
    try {
      const queue = await openQueue(name);
      await within(queue.add(jobs), SEND_TIMEOUT_MS, doing);
    } catch (error) {
      throw asQueueError(error, doing);
    }
  };

  return {
    send: (job) => sendAll([job]),
    sendAll,
    async close() {
      closed = true;
      const queues = await Promise.allSettled(open.values());
      open.clear();
      await Promise.allSettled(queues.flatMap((queue) => (queue.status === 'fulfilled' ? [queue.value.close()] : [])));
    },
  };

  async function sendAll(jobs: readonly JobDispatch[]): Promise<void> {
    if (closed) throw new QueueError('QUEUE_CLOSED', 'this producer is closed');
    // All are parsed before the first is sent.
    const byQueue = new Map<QueueName, OutgoingJob[]>();
    for (const { queue, job } of jobs.map(outgoing)) {
      const group = byQueue.get(queue);
      if (group === undefined) byQueue.set(queue, [job]);
      else group.push(job);
    }
    for (const [queue, group] of byQueue) await add(queue, group);
  }
}
