import { within } from '../deadline';
import type { QueueName } from '../job-catalogue';
import type { QueueDepth } from '../queue-depth';
import { asQueueError, type QueueErrorCode } from '../queue-error';
import type { QueueReader } from '../queue-reader';

export type QueueLook =
  | { readonly queue: QueueName; readonly status: 'seen'; readonly depth: QueueDepth }
  | { readonly queue: QueueName; readonly status: 'away'; readonly code: QueueErrorCode };

/** How many jobs stand in each queue. For operators only: what is due is decided by the database. */
export class QueueDepths {
  private readonly underWay = new Map<QueueName, Promise<QueueDepth>>();

  constructor(private readonly queues: readonly QueueReader[]) {}

  /** Never throws, and answers within `deadlineMs`. Looks at the same time share one reading. */
  look(deadlineMs: number): Promise<readonly QueueLook[]> {
    return Promise.all(this.queues.map((queue) => this.lookAt(queue, deadlineMs)));
  }

  private async lookAt(reader: QueueReader, deadlineMs: number): Promise<QueueLook> {
    const { name: queue } = reader;
    const doing = `looking at ${queue}`;
    try {
      return { queue, status: 'seen', depth: await within(this.depthOf(reader), deadlineMs, doing) };
    } catch (error) {
      return { queue, status: 'away', code: asQueueError(error, doing).code };
    }
  }

  private depthOf(reader: QueueReader): Promise<QueueDepth> {
    const known = this.underWay.get(reader.name);
    if (known !== undefined) return known;
    const reading = reader.depth().finally(() => this.underWay.delete(reader.name));
    this.underWay.set(reader.name, reading);
    return reading;
  }
}
