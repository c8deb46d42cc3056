import { createJobConsumer, type JobConsumer, type JobHandlers } from './job-consumer';
import { createJobProducer, type JobProducer } from './job-producer';
import type { QueueName } from './job-catalogue';
import { createPostgresDriver } from './postgres-driver';
import type { QueueBackendKind, QueueConfig } from './queue-config';
import { asQueueError, type QueueErrorCode } from './queue-error';
import { QUEUE_SETTINGS, type QueueSettings } from './queue-settings';
import { createQueueReader, type QueueReader } from './queue-reader';
import { createRedisDriver } from './redis-driver';
import type { RedisSafety } from './redis-safety';

export type QueueHealth =
  | { readonly status: 'up'; readonly kind: QueueBackendKind; readonly latencyMs: number }
  | {
      readonly status: 'down';
      readonly kind: QueueBackendKind;
      readonly code: QueueErrorCode;
      readonly message: string;
    };

/**
 * The queue of one process. Not in it, on purpose: retries, delays, schedules, priorities and results. The database
 * decides what is due; a job only says that something is.
 */
export interface QueueBackend {
  readonly kind: QueueBackendKind;
  /**
   * Makes the store ready: checks the eviction policy of Redis, or migrates or checks the schema in PostgreSQL. A consumer
   * does it at its start; a process that only sends need not. Throws QUEUE_UNAVAILABLE, QUEUE_EVICTION_UNSAFE, QUEUE_SCHEMA_MISSING.
   */
  prepare(): Promise<void>;
  /** Connects at the first send, so it can be made while the store is away. */
  createProducer(): JobProducer;
  /** Throws JOB_HANDLER_MISSING when a job of the catalogue has no handler. */
  createConsumer(handlers: JobHandlers): JobConsumer;
  /** Looks at a queue; connects at the first look. */
  createReader(queue: QueueName): QueueReader;
  /** Answers in a few seconds at most, never throws. */
  health(): Promise<QueueHealth>;
  /** Whether Redis keeps what it is given; undefined where the queue is not on Redis. Throws QUEUE_UNAVAILABLE. */
  redisSafety(): Promise<RedisSafety | undefined>;
  /** Closes the producers, the readers and the connections. Close consumers before, with their deadline; closes those left without one. */
  close(): Promise<void>;
}

/** The only place where queues are made. Connects to nothing yet. */
export function createQueueBackend(config: QueueConfig): QueueBackend {
  const notify = config.observe ?? ((): void => undefined);
  const driver = config.kind === 'redis' ? createRedisDriver(config, notify) : createPostgresDriver(config, notify);
  const settings = settingsOf(config);
  const producers = new Set<JobProducer>();
  const consumers = new Set<JobConsumer>();
  const readers = new Set<QueueReader>();

  return {
    kind: driver.kind,
    prepare: () => driver.prepare(),
    createProducer() {
      const producer = createJobProducer(driver, settings);
      producers.add(producer);
      return producer;
    },
    createConsumer(handlers) {
      const consumer = createJobConsumer(driver, handlers, settings, notify);
      consumers.add(consumer);
      return consumer;
    },
    createReader(queue) {
      const reader = createQueueReader(driver, queue);
      readers.add(reader);
      return reader;
    },
    async health() {
      const askedAt = performance.now();
      try {
        await driver.ping();
        return { status: 'up', kind: driver.kind, latencyMs: performance.now() - askedAt };
      } catch (cause) {
        const { code, message } = asQueueError(cause, 'being asked for its health');
        return { status: 'down', kind: driver.kind, code, message };
      }
    },
    async redisSafety() {
      try {
        return await driver.redisSafety();
      } catch (cause) {
        throw asQueueError(cause, 'being asked whether it keeps jobs');
      }
    },
    async close() {
      await Promise.allSettled([...consumers].map((consumer) => consumer.close(0)));
      await Promise.allSettled([...producers, ...readers].map((end) => end.close()));
      await driver.close();
    },
  };
}

function settingsOf(config: QueueConfig): Record<QueueName, QueueSettings> {
  const own = config.settings ?? {};
  return {
    'compaction-secure': { ...QUEUE_SETTINGS['compaction-secure'], ...own['compaction-secure'] },
    'compaction-summarize': { ...QUEUE_SETTINGS['compaction-summarize'], ...own['compaction-summarize'] },
    'alert-delivery': { ...QUEUE_SETTINGS['alert-delivery'], ...own['alert-delivery'] },
  };
}
