import { setTimeout as delay } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { createPool } from './connection-pool';
import { bindDataKeys, DataKeys } from './content-keys/data-keys';
import type { KeyProvider } from './content-keys/key-provider';
import { type Prisma, PrismaClient } from './generated/client';
import { PersistenceError } from './persistence-error';
import { isTransient } from './sql-state';
import type { TenantTransaction } from './transaction';

export type { TenantTransaction };

/** What the relay and the reconciler see of all tenants: ids, statuses, leases and the outbox, and no content. */
export type SystemTransaction = Pick<
  Prisma.TransactionClient,
  'tenant' | 'apiKey' | 'session' | 'compaction' | 'outbox' | 'event' | '$queryRaw' | '$executeRaw'
>;

export interface DatabaseOptions {
  /** A login that is a member of holdfast_app and holdfast_system; the owner's works too. */
  readonly connectionString: string;
  /** Wraps the tenants' data keys. Without it content is stored as it is, and encrypted content cannot be read. */
  readonly keys?: KeyProvider | undefined;
  /** Most connections at once; default 10. */
  readonly maxConnections?: number;
  /** Name that the server shows for the connections; default `holdfast`. */
  readonly applicationName?: string;
  /** Longest statement, default 10 s. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a lock, default 3 s. */
  readonly lockTimeoutMs?: number;
  /** After which the server ends a transaction that does nothing, default 15 s. */
  readonly idleTransactionTimeoutMs?: number;
  /** Told of idle connections that broke; they are replaced without help. */
  readonly onConnectionError?: (error: Error) => void;
}

export interface TransactionOptions {
  /** Says that running the function again is safe: it is, up to three times in all, after a transient failure. */
  readonly idempotent?: boolean;
  /** Longest transaction, lock waits included; default 10 s. */
  readonly timeoutMs?: number;
  readonly isolation?: 'ReadCommitted' | 'RepeatableRead' | 'Serializable';
}

/**
 * The way to the tables. No network and no summarizer inside of a function: it holds a connection and locks.
 * Throws STORE_UNAVAILABLE (retryable) when the database does not answer or gave the transaction up.
 */
export interface Database {
  /** Runs a function in one transaction that sees and writes this tenant's rows and no others. */
  withTenant<T>(
    tenantId: string,
    work: (tx: TenantTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Runs a function in one transaction over all tenants: for finding keys and for moving jobs, see SystemTransaction. */
  asSystem<T>(work: (tx: SystemTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Takes no new transactions, waits for those under way and closes all connections. */
  close(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_ATTEMPTS = 3;
/** How long to wait for a free connection. */
const MAX_WAIT_MS = 2_000;
const TRANSACTION_TIMEOUT_MS = 10_000;
/** The server's own limit comes first; this one is for a network that has gone silent. */
const SILENCE_MARGIN_MS = 2_000;

/** Opens the database lazily: the first transaction connects. */
export function createDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const limits = {
    statement: String(statementTimeoutMs),
    lock: String(options.lockTimeoutMs ?? 3_000),
    idle: String(options.idleTransactionTimeoutMs ?? 15_000),
  };
  const onError = options.onConnectionError ?? ((): void => undefined);
  const pool = createPool({
    connectionString: options.connectionString,
    maxConnections: options.maxConnections ?? 10,
    applicationName: options.applicationName ?? 'holdfast',
    connectTimeoutMs: MAX_WAIT_MS,
    answerTimeoutMs: statementTimeoutMs + SILENCE_MARGIN_MS,
    onError,
  });
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, onConnectionError: onError });
  const client = new PrismaClient({ adapter });
  const dataKeys = options.keys === undefined ? undefined : new DataKeys(options.keys);

  // One statement sets role, tenant and limits, for this transaction only: nothing stays behind in the session,
  // so a pooled connection can carry nothing from one tenant to another.
  const enter = (tx: Prisma.TransactionClient, role: string, tenantId: string): Promise<unknown> =>
    tx.$queryRaw`select set_config('role', ${role}, true), set_config('app.tenant_id', ${tenantId}, true),
      set_config('statement_timeout', ${limits.statement}, true), set_config('lock_timeout', ${limits.lock}, true),
      set_config('idle_in_transaction_session_timeout', ${limits.idle}, true)`;

  const transact = async <T>(
    role: string,
    tenantId: string,
    work: (tx: Prisma.TransactionClient) => Promise<T>,
    { idempotent = false, timeoutMs = TRANSACTION_TIMEOUT_MS, isolation }: TransactionOptions = {},
  ): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.$transaction(
          async (tx) => {
            await enter(tx, role, tenantId);
            if (dataKeys !== undefined) bindDataKeys(tx, dataKeys);
            return work(tx);
          },
          {
            maxWait: MAX_WAIT_MS,
            timeout: timeoutMs,
            ...(isolation === undefined ? {} : { isolationLevel: isolation }),
          },
        );
      } catch (error) {
        if (!isTransient(error)) throw error;
        if (!idempotent || attempt === MAX_ATTEMPTS) {
          throw new PersistenceError('STORE_UNAVAILABLE', 'The database did not complete the transaction', error);
        }
        await delay(2 ** attempt * 25 * (0.5 + Math.random()));
      }
    }
  };

  // Prisma rolls back what is open when it disconnects, so closing waits for it here.
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  const tracked: typeof transact = async (...request) => {
    if (closed !== undefined) throw new PersistenceError('STORE_UNAVAILABLE', 'The database of this process is closed');
    const transaction = transact(...request);
    underWay.add(transaction);
    try {
      return await transaction;
    } finally {
      underWay.delete(transaction);
    }
  };

  return {
    async withTenant(tenantId, work, transactionOptions) {
      if (!UUID.test(tenantId)) throw new PersistenceError('TENANT_ID_INVALID', 'A tenant id is a UUID');
      return tracked('holdfast_app', tenantId, work, transactionOptions);
    },
    asSystem: (work, transactionOptions) => tracked('holdfast_system', '', work, transactionOptions),
    async ping() {
      await tracked('holdfast_system', '', () => Promise.resolve(), { timeoutMs: MAX_WAIT_MS });
    },
    close() {
      closed ??= Promise.allSettled(underWay).then(() => client.$disconnect());
      return closed;
    },
  };
}
