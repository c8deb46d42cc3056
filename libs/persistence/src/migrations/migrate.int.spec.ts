import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile, appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, startEmbeddedPostgres, type TestDatabase, type TestPostgres } from '@holdfast/testkit';
import { Client } from 'pg';
import { seedPass } from '../../test/rows';
import { createDatabase } from '../database';
import { sqlStateOf } from '../sql-state';
import { newId } from '../uuid';
import { applyMigrations, pendingMigrations } from './migrate';
import { ensureRuntimeLogin } from './runtime-login';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..', '..', '..');
const FOUNDATION = '20261130000000_foundation';

let empty: TestDatabase;
let folder: string;

beforeEach(async () => {
  empty = await createTestDatabase({ template: 'empty', prepare: () => Promise.resolve() });
  folder = await mkdtemp(join(tmpdir(), 'holdfast-migrations-'));
  await cp(join(ROOT, 'prisma', 'migrations'), folder, { recursive: true });
});

afterEach(async () => {
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

async function query<T extends object>(connectionString: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function prisma(connectionString: string, ...args: string[]): Promise<string> {
  const cli = join(ROOT, 'tools', 'prisma', 'cli.mjs');
  const { stdout } = await run('env', [`DATABASE_URL=${connectionString}`, process.execPath, cli, ...args]);
  return stdout;
}

describe('applyMigrations', () => {
  it('applies what is pending, once, and says so', async () => {
    const progress: string[] = [];
    const names = await pendingMigrations(empty.connectionString);
    expect(names[0]).toBe(FOUNDATION);
    const onProgress = ({ kind, name }: { kind: string; name: string }): void => void progress.push(`${kind} ${name}`);
    expect(await applyMigrations(empty.connectionString, { onProgress })).toEqual(names);
    expect(progress).toEqual(names.flatMap((name) => [`applying ${name}`, `applied ${name}`]));
    expect(await pendingMigrations(empty.connectionString)).toEqual([]);
    expect(await applyMigrations(empty.connectionString)).toEqual([]);
  });

  it('lets any number of processes apply at once', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => applyMigrations(empty.connectionString)));
    expect(applied.flat()).toEqual([...new Set(applied.flat())]);
    expect(await pendingMigrations(empty.connectionString)).toEqual([]);
  });

  it('refuses a migration that was changed after it had been applied', async () => {
    await applyMigrations(empty.connectionString, { migrationsDir: folder });
    await appendFile(join(folder, FOUNDATION, 'migration.sql'), '-- edited\n');
    const code = { code: 'MIGRATION_CHANGED' };
    await expect(applyMigrations(empty.connectionString, { migrationsDir: folder })).rejects.toMatchObject(code);
    await expect(pendingMigrations(empty.connectionString, { migrationsDir: folder })).rejects.toMatchObject(code);
  });

  it('leaves nothing of a migration that fails, and goes on when it is mended', async () => {
    await addMigration('20990101000000_broken', 'create table half (id int); select 1 / 0;');
    await expect(applyMigrations(empty.connectionString, { migrationsDir: folder })).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringContaining('division by zero') as unknown,
    });
    expect(await query(empty.connectionString, `select to_regclass('half') as half`)).toEqual([{ half: null }]);
    await writeFile(join(folder, '20990101000000_broken', 'migration.sql'), 'create table half (id int);');
    expect(await applyMigrations(empty.connectionString, { migrationsDir: folder })).toEqual(['20990101000000_broken']);
  });

  it('accepts a database that a newer build has migrated further', async () => {
    await addMigration('20990101000000_newer', 'create table newer (id int);');
    await applyMigrations(empty.connectionString, { migrationsDir: folder });
    expect(await applyMigrations(empty.connectionString)).toEqual([]);
  });

  it('stops at a migration that another tool began and did not finish', async () => {
    await applyMigrations(empty.connectionString);
    await query(empty.connectionString, `update _prisma_migrations set finished_at = null`);
    await expect(applyMigrations(empty.connectionString)).rejects.toMatchObject({ code: 'MIGRATION_INCOMPLETE' });
  });

  it('says where it looked for migrations', async () => {
    await expect(
      applyMigrations(empty.connectionString, { migrationsDir: join(folder, 'absent') }),
    ).rejects.toMatchObject({ code: 'MIGRATIONS_NOT_FOUND' });
  });
});

describe("Prisma's own CLI", () => {
  it('sees a database that the runner migrated as up to date', async () => {
    await applyMigrations(empty.connectionString);
    expect(await prisma(empty.connectionString, 'migrate', 'status')).toContain('Database schema is up to date!');
  });

  it('finds no difference between the migrations and the schema', async () => {
    const diff = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
    expect(await prisma(empty.connectionString, ...diff, '--exit-code')).toContain('No difference detected.');
  });
});

describe('a managed server, where nobody is superuser', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startEmbeddedPostgres();
    await query(server.connectionString(), 'create role admin login createrole createdb');
    await query(server.connectionString(), 'create database holdfast owner admin');
  });

  afterAll(() => server.destroy());

  it('is migrated by its owner and used by a login of its own', async () => {
    const owner = server.connectionString('holdfast').replace('postgres@', 'admin@');
    await applyMigrations(owner);
    await ensureRuntimeLogin(owner, { name: 'holdfast_login', password: 'first' });
    await ensureRuntimeLogin(owner, { name: 'holdfast_login', password: `it's "second"` });
    const login = server.connectionString('holdfast').replace('postgres@', 'holdfast_login@');
    for (const connectionString of [owner, login]) {
      const database = createDatabase({ connectionString });
      const tenantId = newId();
      await database.withTenant(tenantId, (tx) => seedPass(tx, tenantId));
      expect(await database.withTenant(tenantId, (tx) => tx.compaction.count())).toBe(1);
      expect(await database.withTenant(newId(), (tx) => tx.compaction.count())).toBe(0);
      expect(await database.asSystem((tx) => tx.outbox.count())).toBe(0);
      await database.close();
    }
    expect(await pendingMigrations(login)).toEqual([]);
    await expect(query(login, 'select id from compactions').catch(sqlStateOf)).resolves.toBe('42501');
  });
});
