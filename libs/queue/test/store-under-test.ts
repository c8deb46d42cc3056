import { createPostgresBackend, createRedisBackend, type JobsOptions, Queue } from 'bullmq';
import { isRedisExpected, startEmbeddedPostgres, startRedis, until } from '@holdfast/testkit';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { migrateQueueSchema, type QueueConfig, type QueueName } from '../src';

/** What a queue holds of one job, read past the library. */
export interface KeptJob {
  readonly state: string;
  readonly attemptsMade: number;
  readonly failedReason: string | undefined;
}

/** A running store, and ways to break it. */
export interface StoreUnderTest {
  readonly config: QueueConfig;
  stop(how: 'gently' | 'kill'): Promise<void>;
  start(): Promise<void>;
  /** Forgets every job, as FLUSHALL does. */
  wipe(): Promise<void>;
  /** Puts something into a queue as another release would. */
  plant(queue: QueueName, name: string, data: unknown, opts?: JobsOptions): Promise<void>;
  findJob(queue: QueueName, jobId: string): Promise<KeptJob | undefined>;
  destroy(): Promise<void>;
}

interface RawJob {
  getState(): Promise<string>;
  readonly attemptsMade: number;
  readonly failedReason?: string;
}

interface RawQueue {
  add(name: string, data: unknown, opts?: JobsOptions): Promise<unknown>;
  getJob(id: string): Promise<RawJob | undefined>;
  close(): Promise<void>;
}

function pastTheLibrary(open: (queue: QueueName) => RawQueue): Pick<StoreUnderTest, 'plant' | 'findJob'> {
  const on = async <T>(name: QueueName, work: (queue: RawQueue) => Promise<T>): Promise<T> => {
    const queue = open(name);
    try {
      return await work(queue);
    } finally {
      await queue.close();
    }
  };
  return {
    plant: (queue, name, data, opts) => on(queue, async (raw) => void (await raw.add(name, data, opts))),
    findJob: (queue, jobId) =>
      on(queue, async (raw) => {
        const job = await raw.getJob(jobId);
        if (job === undefined) return undefined;
        return { state: await job.getState(), attemptsMade: job.attemptsMade, failedReason: job.failedReason };
      }),
  };
}

/** Skips a suite by name where its store is not on this machine; a run that requires the store fails instead. */
export function describeOnStore(
  store: 'PostgreSQL' | 'Redis' | 'Redis Cluster',
  title: string,
  suite: () => void,
): void {
  if (store === 'PostgreSQL' || isRedisExpected()) describe(title, suite);
  else describe.skip(`${title} (skipped: neither redis-server nor valkey-server is on the PATH)`, suite);
}

/** One server that is a cluster by itself: it owns every slot, and refuses commands across slots like any other. */
const ONE_NODE_CLUSTER = [
  ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'],
  ...['--cluster-announce-ip', '127.0.0.1'],
];

export async function startRedisStore(cluster = false): Promise<StoreUnderTest> {
  const server = await startRedis(cluster ? ONE_NODE_CLUSTER : []);
  if (server === null) throw new Error('neither Redis nor Valkey is on this machine');
  const ask = async (command: string, ...args: string[]): Promise<string> => {
    const client = new Redis(server.url);
    try {
      return String(await client.call(command, ...args));
    } finally {
      client.disconnect();
    }
  };
  const untilServing = async (): Promise<void> => {
    if (!cluster) return;
    await until(async () => ((await ask('CLUSTER', 'INFO')).includes('cluster_state:ok') ? true : undefined));
  };
  if (cluster) await ask('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await untilServing();
  return {
    config: { kind: 'redis', url: server.url, cluster },
    stop: (how) => server.stop(how === 'gently' ? 'save' : 'kill'),
    async start() {
      await server.start();
      await untilServing();
    },
    wipe: async () => void (await ask('FLUSHALL')),
    ...pastTheLibrary(
      (name) =>
        new Queue(
          name,
          { connection: { url: server.url }, prefix: cluster ? `{holdfast-${name}}` : 'holdfast' },
          createRedisBackend,
        ),
    ),
    destroy: () => server.destroy(),
  };
}

const APP_ROLE = 'queue_app';

export async function startPostgresStore(): Promise<StoreUnderTest> {
  const server = await startEmbeddedPostgres();
  const owner = server.connectionString();
  const ask = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: owner });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await ask(`create role ${APP_ROLE} login`);
  await migrateQueueSchema({ connectionString: owner, grantTo: APP_ROLE });
  // API and workers are not the owner.
  const connectionString = owner.replace('postgres@', `${APP_ROLE}@`);
  return {
    config: { kind: 'postgres', connectionString },
    stop: (how) => server.stop(how === 'gently' ? 'fast' : 'kill'),
    start: () => server.start(),
    wipe: () => ask('truncate bullmq.job cascade'),
    ...pastTheLibrary((name) => new Queue(name, { connection: { connectionString: owner } }, createPostgresBackend)),
    destroy: () => server.destroy(),
  };
}
