import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PersistenceError } from '../persistence-error';
import { type MigrationFile, readMigrationFiles } from './migration-files';

export interface MigrationProgress {
  readonly kind: 'applying' | 'applied';
  readonly name: string;
}

export interface MigrationOptions {
  /** Where the migrations lie; default: prisma/migrations in a folder above this library. */
  readonly migrationsDir?: string;
  readonly onProgress?: (progress: MigrationProgress) => void;
  /** How long to wait for another process that migrates, and for locks on tables; default 60 s. */
  readonly lockTimeoutMs?: number;
}

/** The advisory lock of Prisma's own CLI, so that neither runs beside the other. */
const MIGRATION_LOCK = 72_707_369;

/** Prisma's table, so that its CLI can take over at any time. Everybody may read how far the database is. */
const CREATE_LEDGER = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  );
  GRANT SELECT ON "_prisma_migrations" TO PUBLIC;`;

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'holdfast-migrate' });
  // A connection that breaks between statements fails the next one; unheard it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What is still to apply. Throws MIGRATION_CHANGED and MIGRATION_INCOMPLETE. */
async function listPending(client: Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  const failed = rows.find((row) => !row.finished);
  if (failed !== undefined) {
    throw new PersistenceError('MIGRATION_INCOMPLETE', `Migration ${failed.name} was begun and never finished`);
  }
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const file of files) {
    const checksum = applied.get(file.name);
    if (checksum !== undefined && checksum !== file.checksum) {
      throw new PersistenceError(
        'MIGRATION_CHANGED',
        `Migration ${file.name} was applied with checksum ${checksum} and now has ${file.checksum}`,
      );
    }
  }
  // Migrations that only the database knows come from a newer build: expand first, contract later, so it still fits.
  return files.filter((file) => !applied.has(file.name));
}

async function inLockedTransaction<T>(client: Client, lockTimeoutMs: number, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT set_config('lock_timeout', $1, true)", [String(lockTimeoutMs)]);
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const answer = await work();
    await client.query('COMMIT');
    return answer;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Applies what is pending as the owner of the schema, one transaction each, and returns the names. Any number of
 * processes may call it at once. Needs no engine; the ledger is Prisma's own, so its CLI sees the same state.
 * Throws MIGRATION_CHANGED, MIGRATION_INCOMPLETE, MIGRATION_FAILED, MIGRATIONS_NOT_FOUND.
 */
export async function applyMigrations(connectionString: string, options: MigrationOptions = {}): Promise<string[]> {
  const files = await readMigrationFiles(options.migrationsDir);
  const lockTimeoutMs = options.lockTimeoutMs ?? 60_000;
  return withClient(connectionString, async (client) => {
    await inLockedTransaction(client, lockTimeoutMs, () => client.query(CREATE_LEDGER));
    const done: string[] = [];
    for (;;) {
      // Asked anew under the lock each time: another process may have applied it meanwhile.
      const name = await inLockedTransaction(client, lockTimeoutMs, async () => {
        const [next] = await listPending(client, files);
        if (next === undefined) return undefined;
        options.onProgress?.({ kind: 'applying', name: next.name });
        await client.query(next.sql).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new PersistenceError('MIGRATION_FAILED', `Migration ${next.name}: ${reason}`, error);
        });
        await client.query(
          `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
           VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
          [randomUUID(), next.checksum, next.name],
        );
        return next.name;
      });
      if (name === undefined) return done;
      options.onProgress?.({ kind: 'applied', name });
      done.push(name);
    }
  });
}

/** Names of the migrations of this build that the database lacks; any login may ask. */
export async function pendingMigrations(
  connectionString: string,
  options: Pick<MigrationOptions, 'migrationsDir'> = {},
): Promise<string[]> {
  const files = await readMigrationFiles(options.migrationsDir);
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS found`,
    );
    const pending = rows[0]?.found === true ? await listPending(client, files) : files;
    return pending.map((file) => file.name);
  });
}
