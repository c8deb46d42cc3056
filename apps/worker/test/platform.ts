import { execFileSync } from 'node:child_process';
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
  createOperatorKeys,
  createTenantRepository,
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
import { CONTRACTS, sampleWindow } from './sample-window';
import { dumpSession } from './session-dump';

const ENTRY = join(__dirname, '../dist/main.js');

/**
 * A job that a killed worker had taken and not yet claimed comes back when its lock runs out (60 s) and a worker has
 * looked for such jobs (every 30 s), or when the reconciler's pause ends, which doubles with every dispatch.
 */
const FINISH_DEADLINE_MS = 240_000;

export interface Platform {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly tenantId: string;
  readonly queue: QueueBackend;
  startWorker(over?: WorkerOverrides): Promise<WatchedProcess>;
  /** Kills every worker that still runs. */
  stopWorkers(): Promise<void>;
  /** A tenant whose first session has a fixed id and seal key: the same work leaves the same bytes there. */
  replicaTenant(): Promise<string>;
  /** Accepts a window as the API does: one transaction, then the job, best effort. */
  accept(source: string, over?: Partial<AcceptInput>, tenantId?: string): Promise<StoredCompaction>;
  /** As `accept`, by an API that is killed right after its commit: nobody sends the job. */
  acceptUnsent(source: string): Promise<StoredCompaction>;
  untilFinished(id: string, tenantId?: string): Promise<StoredCompaction>;
  find(id: string, tenantId?: string): Promise<StoredCompaction>;
  close(): Promise<void>;
}

export interface WorkerOverrides {
  /** As HOLDFAST_FAILPOINT says it. */
  readonly failpoint?: string;
  readonly leaseMs?: number;
  readonly databaseUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
}

/** Two windows of one session, small enough for summaries in the window. */
export const REPLICA_WINDOWS = [sampleWindow(16), sampleWindow(18)] as const;
const REPLICA_BUDGET_TOKENS = 2_500;

export interface ReplicaRun {
  readonly tenantId: string;
  readonly compactions: readonly StoredCompaction[];
  /** What the store holds once both passes have ended. */
  readonly dump: Promise<unknown>;
}

/** Accepts the two windows of a replica session. */
export async function runReplica(platform: Platform): Promise<ReplicaRun> {
  const tenantId = await platform.replicaTenant();
  const compactions: StoredCompaction[] = [];
  for (const source of REPLICA_WINDOWS) {
    const over = { session: REPLICA_SESSION.name, budgetTokens: REPLICA_BUDGET_TOKENS };
    compactions.push(await platform.accept(source, over, tenantId));
  }
  const dump = (async () => {
    for (const { id } of compactions) await platform.untilFinished(id, tenantId);
    return dumpSession(platform.testDatabase.connectionString, tenantId, REPLICA_SESSION.id);
  })();
  dump.catch(() => undefined);
  return { tenantId, compactions, dump };
}

/** What an undisturbed run leaves: two compacted windows, with summaries. */
export async function undisturbedRun(platform: Platform): Promise<unknown> {
  await platform.startWorker();
  const dump = await (await runReplica(platform)).dump;
  await platform.stopWorkers();
  const text = JSON.stringify(dump);
  if ((text.match(/"outcome":"compacted"/g) ?? []).length !== 2) throw new Error(`not compacted: ${text}`);
  if ((dump as { readonly segments: unknown[] }).segments.length === 0) throw new Error('no summaries');
  return dump;
}

/** Resolves when the first pass of a run is in the hands of a worker, in this phase. */
export async function untilRunning(platform: Platform, run: ReplicaRun, phase: 'accepted' | 'secured'): Promise<void> {
  const first = run.compactions[0];
  if (first === undefined) throw new Error('no compaction');
  await until(
    async () => {
      const now = await platform.find(first.id, run.tenantId);
      if (now.status === 'finished') throw new Error('the pass ended before it could be disturbed');
      return now.status === 'running' && now.phase === phase ? true : undefined;
    },
    { deadlineMs: 60_000, intervalMs: 5, describe: () => `${first.id} runs in phase ${phase}` },
  );
}

export const AGENT = 'support-bot';
/** The session of every replica tenant. */
export const REPLICA_SESSION = { id: '01900000-0000-7000-8000-000000000001', name: 'replica' };

const OPERATOR_KEY = { name: 'k1', key: Buffer.alloc(32, 7) };

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
  const database = createDatabase({ connectionString, keys: createOperatorKeys([OPERATOR_KEY]) });
  const prefix = `t${newId().replaceAll('-', '')}`;
  const config: QueueConfig =
    redisUrl === undefined ? { kind: 'postgres', connectionString } : { kind: 'redis', url: redisUrl, prefix };
  const queue = createQueueBackend(config);
  const producer = queue.createProducer();
  const tenantId = await createTenantRepository(database).create('Acme');
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
          ENCRYPTION_KEYS: `${OPERATOR_KEY.name}:${OPERATOR_KEY.key.toString('base64')}`,
          ...(redisUrl === undefined
            ? { QUEUE_DATABASE_URL: connectionString }
            : { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix }),
          ...{ PORT: '0', METRICS_PORT: '0', TOKENIZER_THREADS: '1', CONCURRENCY: String(over.concurrency ?? 4) },
          ...{ LEASE_MS: String(over.leaseMs ?? 2_000), RECONCILE_INTERVAL_MS: '200', RELAY_IDLE_INTERVAL_MS: '200' },
          ...(over.failpoint === undefined ? {} : { HOLDFAST_FAILPOINT: over.failpoint }),
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

    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
    },

    async replicaTenant() {
      const id = newId();
      const sealKey = new Uint8Array(32).fill(7);
      await database.withTenant(id, (tx) => tx.tenant.create({ data: { id, name: id, sealKey } }));
      await putAgent(database, id, {});
      const session = { tenantId: id, id: REPLICA_SESSION.id, agentId: AGENT, externalId: REPLICA_SESSION.name };
      await database.withTenant(id, (tx) => tx.session.create({ data: session }));
      return id;
    },

    async accept(source, over = {}, owner = tenantId) {
      const answer = await compactions.accept(owner, acceptInput(source, over));
      if (answer.kind === 'key_reused') throw new Error('the key was used before');
      const { id, dispatchNo } = answer.compaction;
      await producer.send({ kind: 'compaction.secure', payload: jobPayload(id), dispatchNo }).catch(() => undefined);
      return answer.compaction;
    },

    async acceptUnsent(source) {
      const answer = await compactions.accept(tenantId, acceptInput(source, {}));
      if (answer.kind === 'key_reused') throw new Error('the key was used before');
      return answer.compaction;
    },

    find: async (id, owner = tenantId) => {
      const compaction = await compactions.find(owner, id);
      if (compaction === undefined) throw new Error(`no compaction ${id}`);
      return compaction;
    },

    untilFinished: (id, owner = tenantId) =>
      until(
        async () => {
          const compaction = await compactions.find(owner, id).catch(() => undefined);
          return compaction?.status === 'finished' ? compaction : undefined;
        },
        {
          deadlineMs: FINISH_DEADLINE_MS,
          intervalMs: 50,
          describe: () =>
            `${id} finished; workers said:\n${workers.map((worker) => worker.output().slice(-4_000)).join('\n---\n')}`,
        },
      ),

    async close() {
      await platform.stopWorkers();
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

/** Resolves when a worker stopped itself: it holds its lease and does nothing about it. */
export async function untilStopped(worker: WatchedProcess): Promise<void> {
  await until(
    () => {
      if (gone(worker)) throw new Error(`the worker ended instead:\n${worker.output()}`);
      const state = execFileSync('ps', ['-o', 'stat=', '-p', String(worker.pid)], { encoding: 'utf8' });
      return state.trim().startsWith('T') ? true : undefined;
    },
    { deadlineMs: 60_000, describe: () => `the worker stops:\n${worker.output()}` },
  );
}

/** Where a worker serves its health and metrics. */
export function operationUrl(worker: WatchedProcess): string {
  const port = /"ports":\[(\d+)/.exec(worker.output())?.[1];
  if (port === undefined) throw new Error(`the worker names no port:\n${worker.output()}`);
  return `http://127.0.0.1:${port}`;
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
