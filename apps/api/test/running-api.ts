import { SCOPES, type Scope } from '@holdfast/contracts';
import { createMetrics, NO_TRACING, type Tracing } from '@holdfast/observability';
import { DEFAULT_OUTBOUND_SETTINGS, type OutboundSettings } from '@holdfast/alerting';
import { applyMigrations, createDatabase, createOperatorKeys, type Database } from '@holdfast/persistence';
import { createQueueBackend, migrateQueueSchema, type QueueBackend } from '@holdfast/queue';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { createTokenCounterPool, type TokenCounterPool } from '@holdfast/tokens';
import { createApiKey, displayOf, hashSecret, PEPPER_VERSION } from '../src/auth/api-key';
import type { RateLimit } from '../src/auth/rate-limiter';
import { bootstrapKey } from '../src/auth/bootstrap';
import { type RunningApi, startApi } from '../src/create-api';
import type { ApiRepositories } from '../src/api-dependencies';
import { createRepositories } from '../src/ports/persistent-repositories';

export const PEPPER = 'pepper-of-the-tests-with-enough-characters';
export const MAX_BODY_BYTES = 52_428_800;

/** A tenant with its key, and requests in its name. */
export interface Tenant {
  readonly tenantId: string;
  readonly key: string;
}

export interface ApiUnderTest {
  readonly url: string;
  readonly api: RunningApi;
  readonly database: Database;
  readonly queue: QueueBackend;
  readonly repositories: ApiRepositories;
  readonly acme: Tenant;
  readonly globex: Tenant;
  readonly logged: readonly Logged[];
  keyWith(tenant: Tenant, scopes: readonly Scope[], agents?: readonly string[]): Promise<string>;
  /** Rows of each of the tenant's tables. */
  rowCounts(tenant: Tenant): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface Logged {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ApiOptions {
  /** Where the API finds the database; default: the test's own. */
  readonly databaseUrl?: string;
  /** Where it finds the queue; default: the test's own database. */
  readonly queueUrl?: string;
  /** Default: traces are off. */
  readonly tracing?: Tracing;
  /** Default: none. */
  readonly rateLimit?: RateLimit;
  readonly tenantShare?: number;
  /** What alert channels may reach; default: what every channel may. */
  readonly outbound?: OutboundSettings;
}

/** The real API on a port of its own, over real PostgreSQL and the queue in it; no worker, so nothing finishes. */
export async function startApiUnderTest(options: ApiOptions = {}): Promise<ApiUnderTest> {
  const testDatabase: TestDatabase = await createTestDatabase({
    template: 'holdfast_api',
    prepare: async (connectionString) => {
      await applyMigrations(connectionString);
      await migrateQueueSchema({ connectionString });
    },
  });
  const keys = createOperatorKeys([{ name: 'k1', key: Buffer.alloc(32, 7) }]);
  const own = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 4, keys });
  const database =
    options.databaseUrl === undefined ? own : createDatabase({ connectionString: options.databaseUrl, keys });
  const queue = createQueueBackend({
    kind: 'postgres',
    connectionString: options.queueUrl ?? testDatabase.connectionString,
  });
  const counters: TokenCounterPool = createTokenCounterPool({ threads: 1 });
  const metrics = createMetrics({ service: 'api', version: '0.0.0', commit: 'test' });
  const logged: Logged[] = [];
  const line =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void logged.push({ level, message, fields });
  const ownRepositories = createRepositories(own, testDatabase.connectionString, keys);
  const api = await startApi(
    {
      settings: {
        maxBodyBytes: MAX_BODY_BYTES,
        maxElements: 20_000,
        maxDepth: 100,
        rateLimit: options.rateLimit,
        tenantShare: options.tenantShare ?? 1_000,
        keyPepper: PEPPER,
        tokenizerThreads: 1,
        version: '0.1.0',
        dashboardUrl: 'https://holdfast.example',
        metricsApart: false,
      },
      repositories: createRepositories(database, options.databaseUrl ?? testDatabase.connectionString, keys),
      queue,
      counters,
      outbound: options.outbound ?? DEFAULT_OUTBOUND_SETTINGS,
      metrics,
      tracing: options.tracing ?? NO_TRACING,
      log: { info: line('info'), warn: line('warn'), error: line('error') },
    },
    '127.0.0.1',
    0,
  );
  const tenant = async (tenantName: string): Promise<Tenant> => {
    const { tenantId, key = '' } = await bootstrapKey(ownRepositories, { tenantName, pepper: PEPPER });
    return { tenantId, key };
  };
  const acme = await tenant('acme');
  const globex = await tenant('globex');

  return {
    url: api.url,
    api,
    database: own,
    queue,
    repositories: ownRepositories,
    acme,
    globex,
    logged,
    async keyWith({ tenantId }, scopes, agents = []) {
      const parts = createApiKey('test');
      await ownRepositories.keys.create(tenantId, {
        keyId: parts.keyId,
        secretHash: hashSecret(parts.secret, PEPPER),
        pepperVersion: PEPPER_VERSION,
        display: displayOf(parts),
        scopes: [...scopes],
        agentAllowList: [...agents],
        expiresAt: undefined,
      });
      return parts.text;
    },
    rowCounts: ({ tenantId }) => rowCounts(own, tenantId),
    async close() {
      await api.close(5_000);
      await Promise.all([queue.close(), counters.close()]);
      if (database !== own) await database.close();
      await own.close();
      await testDatabase.drop();
    },
  };
}

export const EVERY_SCOPE: readonly Scope[] = SCOPES;

const TABLES = [
  'agents',
  'sessions',
  'windows',
  'originals',
  'compactions',
  'records',
  'effects',
  'handles',
  'receipts',
  'refusals',
  'outbox',
  'events',
];

async function rowCounts(database: Database, tenantId: string): Promise<Readonly<Record<string, number>>> {
  return database.withTenant(tenantId, async (tx) => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await tx.$queryRawUnsafe<{ n: number }[]>(`select count(*)::int as n from "${table}"`);
      counts[table] = row?.n ?? -1;
    }
    return counts;
  });
}
