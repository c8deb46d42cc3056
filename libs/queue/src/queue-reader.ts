import { settlesWithin, within } from './deadline';
import type { QueueName } from './job-catalogue';
import type { QueueDepth } from './queue-depth';
import type { QueueDriver, ReadingQueue } from './queue-driver';
import { asQueueError, QueueError } from './queue-error';

/** Looks at one queue and changes nothing in it. */
export interface QueueReader {
  readonly name: QueueName;
  /** Throws QUEUE_UNAVAILABLE in bounded time, or QUEUE_CLOSED; the next call tries anew. */
  depth(): Promise<QueueDepth>;
  /** In bounded time, whether the store is there or not. */
  close(): Promise<void>;
}

/** Longest time for counting, once a connection stands. */
const READ_TIMEOUT_MS = 2_500;
const CLOSE_TIMEOUT_MS = 1_000;

/** Connects at the first look, so it can be made while the store is away. */
export function createQueueReader(driver: QueueDriver, name: QueueName): QueueReader {
  let opening: Promise<ReadingQueue> | undefined;
  let closing: Promise<void> | undefined;

  const open = (): Promise<ReadingQueue> => {
    if (opening !== undefined) return opening;
    const attempt = driver.openReading(name);
    opening = attempt;
    // An attempt that failed must not stay: the next look tries anew.
    attempt.catch(() => {
      opening = undefined;
    });
    return attempt;
  };

  const close = async (): Promise<void> => {
    const opened = opening;
    if (opened === undefined) return;
    await settlesWithin(
      opened.then((queue) => queue.close()),
      CLOSE_TIMEOUT_MS,
    );
  };

  return {
    name,
    async depth() {
      if (closing !== undefined) throw new QueueError('QUEUE_CLOSED', `the reader of ${name} is closed`);
      const doing = `looking at ${name}`;
      try {
        const queue = await open();
        return await within(queue.depth(), READ_TIMEOUT_MS, doing);
      } catch (error) {
        throw asQueueError(error, doing);
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
