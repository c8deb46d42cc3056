import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Where the server of this test run is told to the spec files. */
export const POSTGRES_URL_VARIABLE = 'HOLDFAST_TEST_POSTGRES_URL';

export interface TestDatabase {
  readonly name: string;
  readonly connectionString: string;
  /** Ends what is still connected and drops the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Brings an empty database to the state that every clone starts with; runs once per test run and `template`. */
  readonly prepare: (connectionString: string) => Promise<unknown>;
  /** Name of that state. */
  readonly template?: string;
  /** Server to use instead of the one of this test run. */
  readonly serverUrl?: string;
}

async function onServer<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl });
  // The server may be stopped under an idle connection; what waits for an answer is told by its promise.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function ensureTemplate(
  client: Client,
  serverUrl: string,
  name: string,
  prepare: TestDatabaseOptions['prepare'],
): Promise<void> {
  const lock = createHash('sha256').update(name).digest().readInt32BE(0);
  await client.query('select pg_advisory_lock($1)', [lock]);
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft}`);
    await client.query(`create database ${draft}`);
    await prepare(urlOf(serverUrl, draft));
    // Under its final name only when complete, so that a failed attempt is no template.
    await client.query(`alter database ${draft} rename to ${name}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]);
  }
}

/**
 * A database of its own for one spec file: a clone of a template that is prepared once. Needs the server that
 * `jest-global-setup` starts, or `serverUrl`.
 */
export async function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const serverUrl = options.serverUrl ?? process.env[POSTGRES_URL_VARIABLE];
  if (serverUrl === undefined)
    throw new Error(`${POSTGRES_URL_VARIABLE} is not set: use the global set-up of the testkit`);
  const template = `template_${options.template ?? 'holdfast'}`;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, async (client) => {
    await ensureTemplate(client, serverUrl, template, options.prepare);
    await client.query(`create database ${name} template ${template}`);
  });
  return {
    name,
    connectionString: urlOf(serverUrl, name),
    drop: () =>
      onServer(serverUrl, async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}
