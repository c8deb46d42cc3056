import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatName } from '@holdfast/core';
import {
  type AcceptInput,
  applyMigrations,
  createAgentRepository,
  createCompactionRepository,
  createDatabase,
  createKeyRepository,
  type Database,
  newId,
  type StoredCompaction,
} from '@holdfast/persistence';
import {
  createQueueBackend,
  jobPayload,
  migrateQueueSchema,
  type QueueBackend,
  type QueueConfig,
} from '@holdfast/queue';
import { createTestDatabase, spawnWatched, type TestDatabase, until, type WatchedProcess } from '@holdfast/testkit';
import { CONTRACTS } from './sample-window';

const ENTRY = join(__dirname, '../dist/main.js');

export interface Platform {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly tenantId: string;
  readonly queue: QueueBackend;
  startWorker(over?: WorkerOverrides): Promise<WatchedProcess>;
  /** Accepts a window as the API does: one transaction, then the job, best effort. */
  accept(source: string, over?: Partial<AcceptInput>): Promise<StoredCompaction>;
  untilFinished(id: string): Promise<StoredCompaction>;
  find(id: string): Promise<StoredCompaction>;
  close(): Promise<void>;
}

export interface WorkerOverrides {
  readonly failpoint?: string;
  readonly leaseMs?: number;
  readonly databaseUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
}

export const AGENT = 'support-bot';

/** A database of its own, a queue on it or on Redis, one agent; workers are processes of the build. */
export async function startPlatform(redisUrl?: string, serverUrl?: string): Promise<Platform> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: run "npx tsc -b apps/worker" first`);
  const testDatabase = await createTestDatabase({
    template: 'holdfast_worker',
    prepare: async (connectionString) => {
      await applyMigrations(connectionString);
      await migrateQueueSchema({ connectionString });
    },
    ...(serverUrl === undefined ? {} : { serverUrl }),
  });
  const { connectionString } = testDatabase;
  const database = createDatabase({ connectionString });
  const prefix = `t${newId().replaceAll('-', '')}`;
  const config: QueueConfig =
    redisUrl === undefined ? { kind: 'postgres', connectionString } : { kind: 'redis', url: redisUrl, prefix };
  const queue = createQueueBackend(config);
  const producer = queue.createProducer();
  const tenantId = await createKeyRepository(database).createTenant('Acme');
  await putAgent(database, tenantId, {});
  const compactions = createCompactionRepository(database);
  const workers: WatchedProcess[] = [];

  const platform: Platform = {
    ...{ testDatabase, database, tenantId, queue },

    async startWorker(over = {}) {
      const scratchDir = await mkdtemp(join(tmpdir(), 'holdfast-worker-'));
      const worker = await spawnWatched(process.execPath, ['--enable-source-maps', ENTRY], {
        scratchDir,
        env: {
          NODE_ENV: 'test',
          LOG_LEVEL: 'info',
          DATABASE_URL: over.databaseUrl ?? connectionString,
          ...(redisUrl === undefined
            ? { QUEUE_DATABASE_URL: connectionString }
            : { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix }),
          ...{ PORT: '0', METRICS_PORT: '0', TOKENIZER_THREADS: '1', CONCURRENCY: String(over.concurrency ?? 4) },
          ...{ LEASE_MS: String(over.leaseMs ?? 2_000), RECONCILE_INTERVAL_MS: '200', RELAY_IDLE_INTERVAL_MS: '200' },
          ...(over.failpoint === undefined ? {} : { HOLDFAST_FAILPOINT: `after:${over.failpoint}` }),
          ...over.environment,
        },
      });
      workers.push(worker);
      await until(() => (worker.output().includes('The worker takes jobs') || gone(worker) ? true : undefined), {
        deadlineMs: 60_000,
        describe: () => `a worker that takes jobs:\n${worker.output()}`,
      });
      return worker;
    },

    async accept(source, over = {}) {
      const answer = await compactions.accept(tenantId, acceptInput(source, over));
      if (answer.kind === 'key_reused') throw new Error('the key was used before');
      const { id, dispatchNo } = answer.compaction;
      await producer.send({ kind: 'compaction.secure', payload: jobPayload(id), dispatchNo }).catch(() => undefined);
      return answer.compaction;
    },

    find: async (id) => {
      const compaction = await compactions.find(tenantId, id);
      if (compaction === undefined) throw new Error(`no compaction ${id}`);
      return compaction;
    },

    untilFinished: (id) =>
      until(
        async () => {
          const compaction = await compactions.find(tenantId, id).catch(() => undefined);
          return compaction?.status === 'finished' ? compaction : undefined;
        },
        {
          deadlineMs: 90_000,
          intervalMs: 50,
          describe: () =>
            `${id} finished; workers said:\n${workers.map((worker) => worker.output().slice(-4_000)).join('\n---\n')}`,
        },
      ),

    async close() {
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
      await queue.close();
      await database.close();
      await testDatabase.drop();
    },
  };
  return platform;
}

export function gone(worker: WatchedProcess): boolean {
  return worker.child.exitCode !== null || worker.child.signalCode !== null;
}

/** Resolves when a worker ended itself. */
export async function untilGone(worker: WatchedProcess): Promise<void> {
  await until(() => (gone(worker) ? true : undefined), {
    deadlineMs: 60_000,
    describe: () => `the worker ends:\n${worker.output()}`,
  });
}

export async function putAgent(
  database: Database,
  tenantId: string,
  policy: Readonly<Record<string, unknown>>,
): Promise<void> {
  await createAgentRepository(database).putAgent(tenantId, AGENT, {
    mode: 'enforce',
    recall: 'tool',
    policy: {
      ...{ onAmbiguous: 'hold', aimShare: 0.6, minGainShare: 0.02, pinnedBlockTokens: 1_500, tailMessages: 2 },
      ...policy,
    },
    toolContracts: CONTRACTS,
  });
}

function acceptInput(source: string, over: Partial<AcceptInput>): AcceptInput {
  return {
    agentId: AGENT,
    session: `conversation-${newId()}`,
    format: 'openai-chat' satisfies FormatName,
    source: Buffer.from(source),
    budgetTokens: 6_000,
    aimTokens: undefined,
    reclaimTargetTokens: undefined,
    baseVersion: undefined,
    model: undefined,
    counter: 'o200k_base',
    policyVersion: 1,
    mode: 'enforce',
    idempotencyKey: undefined,
    requestHash: createHash('sha256').update(source).digest(),
    traceparent: undefined,
    ...over,
  };
}
