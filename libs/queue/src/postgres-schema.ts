import { assertSchemaCompatibility, quoteSchemaName, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { Client, escapeIdentifier } from 'pg';
import { JOB_KINDS, queueOf } from './job-catalogue';
import { QueueError } from './queue-error';

/** Where the queue's tables live, apart from the platform's own. */
export const QUEUE_SCHEMA = 'bullmq';

const CONNECT_TIMEOUT_MS = 5_000;

export interface QueueSchemaTarget {
  /** Of a role that may create the schema. */
  readonly connectionString: string;
  readonly schema?: string;
  /** Role that API and workers connect as, when it is another one: it is given the use of everything, now and later. */
  readonly grantTo?: string;
}

/**
 * Creates the queue's schema or brings it up to date, under advisory locks, so that processes may start at once: two that
 * create or grant the same thing at the same moment would fail. Nothing happens where it is current.
 */
export async function migrateQueueSchema({ grantTo, ...target }: QueueSchemaTarget): Promise<void> {
  await withClient(target, async (client, schema) => {
    await runMigrations(client, schema);
    // Rolled back by the end of the connection when it fails.
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('holdfast queue'), hashtext($1))`, [schema]);
    await createSequences(client, schema);
    if (grantTo !== undefined) await grantUse(client, schema, grantTo);
    await client.query('commit');
  });
}

async function grantUse(client: Client, schema: string, grantTo: string): Promise<void> {
  const [where, role] = [quoteSchemaName(schema), escapeIdentifier(grantTo)];
  await client.query(`
    grant usage on schema ${where} to ${role};
    grant select, insert, update, delete, truncate on all tables in schema ${where} to ${role};
    grant usage, select on all sequences in schema ${where} to ${role};
    grant execute on all functions in schema ${where} to ${role};
    alter default privileges in schema ${where} grant select, insert, update, delete, truncate on tables to ${role};
    alter default privileges in schema ${where} grant usage, select on sequences to ${role};
    alter default privileges in schema ${where} grant execute on functions to ${role};`);
}

/** BullMQ makes a queue's sequence at its first bulk send; a role that may only use the schema could not. */
async function createSequences(client: Client, schema: string): Promise<void> {
  const where = quoteSchemaName(schema);
  for (const kind of JOB_KINDS) {
    const { rows } = await client.query<{ name: string }>(`select ${where}.job_id_seq_name($1) as name`, [
      queueOf(kind),
    ]);
    for (const { name } of rows) {
      await client.query(`create sequence if not exists ${where}.${escapeIdentifier(name)}`);
    }
  }
}

/** Throws QUEUE_SCHEMA_MISSING unless the schema is there and this release can use it. */
export async function checkQueueSchema(target: QueueSchemaTarget): Promise<void> {
  await withClient(target, async (client, schema) => {
    try {
      await assertSchemaCompatibility(client, schema);
    } catch (error) {
      if (!(error instanceof SchemaMigrationRequiredError)) throw error;
      throw new QueueError('QUEUE_SCHEMA_MISSING', `no queue in the schema ${schema} of this database`, {
        cause: error,
      });
    }
  });
}

async function withClient(
  { connectionString, schema = QUEUE_SCHEMA }: QueueSchemaTarget,
  work: (client: Client, schema: string) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener a server that goes away in the middle would end the process; the query fails all the same.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client, schema);
  } finally {
    await client.end().catch(() => undefined);
  }
}
