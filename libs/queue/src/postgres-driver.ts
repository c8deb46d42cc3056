import { createPostgresBackend, type PostgresConnectionOptions, type PostgresQueueBackend, Queue } from 'bullmq';
import { Pool } from 'pg';
import { BoundedWorker } from './bounded-worker';
import { within } from './deadline';
import type { QueueName } from './job-catalogue';
import type { PostgresQueueConfig } from './queue-config';
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
import { checkQueueSchema, migrateQueueSchema, QUEUE_SCHEMA } from './postgres-schema';

type PostgresQueue = Queue<
  unknown,
  unknown,
  string,
  unknown,
  unknown,
  string,
  PostgresQueueBackend,
  PostgresConnectionOptions
>;

const CONNECT_TIMEOUT_MS = 3_000;
/** A send is one short statement. */
const SEND_TIMEOUT_MS = 2_000;
/** Takes of a busy queue wait for row locks; longer than this is a half-open connection. */
const WORK_TIMEOUT_MS = 10_000;
const OPEN_TIMEOUT_MS = CONNECT_TIMEOUT_MS + WORK_TIMEOUT_MS;
/** Connections of one sending queue; a send holds one for a millisecond. */
const SEND_CONNECTIONS = 2;
/** Looks are seldom, and those at one queue come one after the other. */
const READ_CONNECTIONS = 1;
/** Jobs that may be taken between counting and reading, with the oldest still found. */
const TAKEN_MEANWHILE = 100;
/** Connections of one worker besides its LISTEN: taking, finishing and renewing are short, however many jobs run. */
const WORK_CONNECTIONS = 3;

/** Queues in tables of BullMQ's own, woken by LISTEN and NOTIFY. */
export function createPostgresDriver(config: PostgresQueueConfig, observe: Observe): QueueDriver {
  const schema = config.schema ?? QUEUE_SCHEMA;
  const target = { connectionString: config.connectionString, schema };
  let pinger: Pool | undefined;
  let closed = false;

  const connection = (max: number, queryTimeoutMs: number): PostgresConnectionOptions => ({
    ...target,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  });

  const openPinger = (): Pool => {
    if (closed) throw new QueueError('QUEUE_CLOSED', 'the queue is closed');
    if (pinger === undefined) {
      pinger = new Pool({
        connectionString: config.connectionString,
        max: 1,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: SEND_TIMEOUT_MS,
      });
      pinger.on('error', (error) => observe({ type: 'connection_error', source: 'producer', error }));
    }
    return pinger;
  };

  const openQueue = async (name: QueueName, use: 'producer' | 'reader'): Promise<PostgresQueue> => {
    if (closed) throw new QueueError('QUEUE_CLOSED', 'the queue is closed');
    const connections = use === 'reader' ? READ_CONNECTIONS : SEND_CONNECTIONS;
    const options = { connection: connection(connections, SEND_TIMEOUT_MS), skipMetasUpdate: use === 'reader' };
    const queue: PostgresQueue = new Queue(name, options, createPostgresBackend);
    return readyQueue(queue, { name, use, timeoutMs: OPEN_TIMEOUT_MS }, observe);
  };

  return {
    kind: 'postgres',

    async prepare() {
      try {
        if (config.migrate === true) await migrateQueueSchema(target);
        else await checkQueueSchema(target);
      } catch (error) {
        throw asQueueError(error, 'preparing its schema');
      }
    },

    async ping() {
      await openPinger().query('select 1');
    },

    redisSafety: async () => undefined,

    openSending: async (name) => sendingQueue(await openQueue(name, 'producer')),

    openReading: async (name) =>
      // BullMQ counts from the newest here, whatever order it is asked for.
      readingQueue(await openQueue(name, 'reader'), (waiting) => ({
        first: Math.max(0, waiting - TAKEN_MEANWHILE),
        last: waiting - 1,
      })),

    async openReceiving(name, processor, settings) {
      const worker = new BoundedWorker<PostgresQueueBackend, PostgresConnectionOptions>(
        name,
        processor,
        { connection: connection(WORK_CONNECTIONS, WORK_TIMEOUT_MS), ...workerOptions(settings) },
        createPostgresBackend,
      );
      const receiving = receivingQueue(name, worker, observe);
      return openOrClose(
        `opening ${name}`,
        async () => {
          await within(worker.waitUntilReady(), OPEN_TIMEOUT_MS, `opening ${name}`);
          return receiving;
        },
        () => worker.close(true),
      );
    },

    async close() {
      closed = true;
      await pinger?.end();
    },
  };
}
