import { type ConnectionOptions, createRedisBackend, Queue, type RedisQueueBackend } from 'bullmq';
import { BoundedWorker } from './bounded-worker';
import { within } from './deadline';
import type { QueueName } from './job-catalogue';
import type { RedisQueueConfig } from './queue-config';
import {
  openOrClose,
  type QueueDriver,
  readingQueue,
  readyQueue,
  receivingQueue,
  sendingQueue,
  workerOptions,
} from './queue-driver';
import { asQueueError, QueueError } from './queue-error';
import type { Observe } from './queue-notice';
import { CONNECT_TIMEOUT_MS, connectRedis, type RedisClient, untilReady } from './redis-client';
import { checkEvictionPolicy } from './redis-eviction';
import { RedisSafetyWatch } from './redis-safety';

type RedisQueue = Queue<unknown, unknown, string, unknown, unknown, string>;

/** Time for the small exchange that opens a queue on a connection that stands. */
const OPEN_TIMEOUT_MS = 5_000;

/** Queues on Redis or Valkey. One fail-fast connection sends and pings; a worker has a patient pair of its own. */
export function createRedisDriver(config: RedisQueueConfig, observe: Observe): QueueDriver {
  let sender: RedisClient | undefined;
  let closed = false;
  const safety = new RedisSafetyWatch(`${config.prefix ?? 'holdfast'}:safety-mark`);

  const keyPrefix = (queue: QueueName): string => {
    const prefix = config.prefix ?? 'holdfast';
    // All keys of a queue must lie in one slot, those of different queues better not.
    return config.cluster === true ? `{${prefix}-${queue}}` : prefix;
  };

  const readySender = async (): Promise<RedisClient> => {
    if (closed) throw new QueueError('QUEUE_CLOSED', 'the queue is closed');
    sender ??= connectRedis(config, 'fail_fast', (error) =>
      observe({ type: 'connection_error', source: 'producer', error }),
    );
    await untilReady(sender);
    return sender;
  };

  const openQueue = async (name: QueueName, use: 'producer' | 'reader'): Promise<RedisQueue> => {
    const options = { connection: await readySender(), prefix: keyPrefix(name), skipMetasUpdate: use === 'reader' };
    const queue: RedisQueue = new Queue(name, options, createRedisBackend);
    return readyQueue(queue, { name, use, timeoutMs: OPEN_TIMEOUT_MS }, observe);
  };

  return {
    kind: 'redis',

    async prepare() {
      if (config.allowUnsafeRedis === true) return;
      try {
        await checkEvictionPolicy(await readySender());
      } catch (error) {
        throw asQueueError(error, 'reading its eviction policy');
      }
    },

    async ping() {
      await (await readySender()).ping();
    },

    redisSafety: async () => safety.look(await readySender()),

    openSending: async (name) => sendingQueue(await openQueue(name, 'producer')),

    openReading: async (name) => readingQueue(await openQueue(name, 'reader'), () => ({ first: 0, last: 0 })),

    async openReceiving(name, processor, settings) {
      const connection = connectRedis(config, 'patient', (error) =>
        observe({ type: 'connection_error', source: name, error }),
      );
      const release = (): void => connection.disconnect();
      let worker: BoundedWorker<RedisQueueBackend, ConnectionOptions> | undefined;
      return openOrClose(
        `opening ${name}`,
        async () => {
          await untilReady(connection);
          worker = new BoundedWorker(
            name,
            processor,
            { connection, prefix: keyPrefix(name), ...workerOptions(settings) },
            createRedisBackend,
          );
          const receiving = receivingQueue(name, worker, observe, release);
          await within(worker.waitUntilReady(), CONNECT_TIMEOUT_MS + OPEN_TIMEOUT_MS, `opening ${name}`);
          return receiving;
        },
        async () => {
          release();
          // It holds a connection of its own for the blocking reads.
          await worker?.close(true);
        },
      );
    },

    async close() {
      closed = true;
      sender?.disconnect();
    },
  };
}
