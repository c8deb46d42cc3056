import type { MigrateConfig } from '@holdfast/config';
import { pendingMigrations } from '@holdfast/persistence';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { migrate } from './migrate';

const runtimeLogin = { name: 'login_of_migrate_spec', password: 'a-long-enough-password' };
let database: TestDatabase;

function configFor(queue: MigrateConfig['queue']): MigrateConfig {
  return { mode: 'test', logLevel: 'info', ownerDatabaseUrl: database.connectionString, runtimeLogin, queue };
}

async function run(config: MigrateConfig): Promise<string[]> {
  const lines: string[] = [];
  await migrate(config, (line) => lines.push(line));
  return lines;
}

function asRuntimeLogin(): string {
  const url = new URL(database.connectionString);
  url.username = runtimeLogin.name;
  url.password = runtimeLogin.password;
  return url.href;
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  database = await createTestDatabase({ template: 'empty', prepare: () => Promise.resolve() });
});
afterEach(() => database.drop());

it('makes an empty database ready, its queue too, and changes nothing the second time', async () => {
  const config = configFor({ kind: 'postgres', connectionString: database.connectionString });
  const first = await run(config);
  expect(first.at(-1)).toBe('The queue in PostgreSQL is ready.');
  expect(await pendingMigrations(asRuntimeLogin())).toEqual([]);

  const second = await run(config);
  expect(second[0]).toBe('The schema is up to date.');
});

it('prepares a login that is no superuser and bypasses no row-level security', async () => {
  await run(configFor({ kind: 'postgres', connectionString: database.connectionString }));
  expect(
    await query(
      asRuntimeLogin(),
      'SELECT rolsuper, rolbypassrls, rolinherit FROM pg_roles WHERE rolname = current_user',
    ),
  ).toEqual([{ rolsuper: false, rolbypassrls: false, rolinherit: false }]);
  expect(await query(asRuntimeLogin(), "SELECT has_schema_privilege('bullmq', 'usage') AS allowed")).toEqual([
    { allowed: true },
  ]);
});

it('leaves the queue alone where it is in Redis', async () => {
  const redis = { url: 'redis://localhost:1', cluster: false, prefix: 'holdfast', allowUnsafeRedis: false };
  await run(configFor({ kind: 'redis', ...redis }));
  expect(await query(database.connectionString, "SELECT to_regnamespace('bullmq') AS schema")).toEqual([
    { schema: null },
  ]);
});
