import type { RegisterQueueOptions } from '@nestjs/bullmq';
import type { QueueName } from '../job-catalogue';
import type { QueueBackend } from '../queue-backend';
import type { QueueDepth } from '../queue-depth';
import type { QueueReader } from '../queue-reader';

/** What a queue is registered with in place of a connection: the backend has one. */
export interface RegisteredQueueOptions extends RegisterQueueOptions {
  readonly name: QueueName;
  readonly backend: Pick<QueueBackend, 'createReader'>;
}

/**
 * What `@InjectQueue` gives: a queue that can be looked at and nothing else. Jobs are sent by a producer and taken by a
 * consumer of @holdfast/queue. Nest closes it at the end of the application, in bounded time.
 */
export class RegisteredQueue implements QueueReader {
  private readonly reader: QueueReader;

  constructor(
    readonly name: QueueName,
    { backend }: RegisteredQueueOptions,
  ) {
    this.reader = backend.createReader(name);
  }

  depth(): Promise<QueueDepth> {
    return this.reader.depth();
  }

  close(): Promise<void> {
    return this.reader.close();
  }
}
