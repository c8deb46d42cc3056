import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { seedFacts, seedPass, type SeededPass } from '../test/rows';
import { createDatabase, type Database } from './database';
import { applyMigrations } from './migrations/migrate';
import { sqlStateOf } from './sql-state';
import { newId } from './uuid';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let acme: SeededPass;
let globex: SeededPass;
let tenantTables: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id' order by 1`,
  );
  tenantTables = rows.map((row) => row.name);
  const seed = (tenantId: string): Promise<SeededPass> =>
    database.withTenant(tenantId, async (tx) => {
      const pass = await seedPass(tx, tenantId);
      await seedFacts(tx, pass);
      return pass;
    });
  acme = await seed(newId());
  globex = await seed(newId());
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

/** Rows of a table that the app role sees as this tenant. */
async function visible(table: string, tenantId: string): Promise<number> {
  await owner.query('begin');
  await owner.query(`select set_config('role', 'holdfast_app', true), set_config('app.tenant_id', $1, true)`, [
    tenantId,
  ]);
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int as n from "${table}"`);
  await owner.query('rollback');
  return rows[0]?.n ?? -1;
}

describe('catalogue', () => {
  it('knows the tables of a tenant', () => {
    expect(tenantTables).toHaveLength(35);
  });

  it('has row security, forced, with a policy that checks reads and writes, on each of them and on tenants', async () => {
    const { rows } = await owner.query<{ name: string; guarded: boolean; isolated: boolean }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as guarded,
         exists (
           select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_isolation' and p.polcmd = '*'
             and p.polroles = '{0}' and p.polqual is not null and p.polwithcheck is not null
         ) as isolated
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'`,
    );
    expect(rows.map((row) => row.name).sort()).toEqual([...tenantTables, 'tenants'].sort());
    expect(rows.filter((row) => !row.guarded || !row.isolated)).toEqual([]);
  });

  it('starts every primary key, unique key and foreign key of theirs with the tenant', async () => {
    const { rows } = await owner.query<{ name: string; columns: string[] }>(
      `select c.conname as name, array(
         select a.attname::text from unnest(c.conkey) with ordinality k(no, at)
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.no order by k.at) as columns
       from pg_constraint c join pg_class t on t.oid = c.conrelid
       where t.relname = any($1) and c.contype in ('p', 'u', 'f')
       union all
       select i.relname, array(
         select a.attname::text from unnest(x.indkey::int2[]) with ordinality k(no, at)
         join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.no order by k.at)
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relname = any($1) and x.indisunique`,
      [tenantTables],
    );
    const open = rows.filter((row) => row.columns[0] !== 'tenant_id').map((row) => row.name);
    // A key is looked up before its tenant is known; the others are counters of one table each.
    const counters = ['outbox', 'events', 'audit_log', 'refusal_steps', 'drift_steps', 'alert_signals'];
    expect(new Set(open)).toEqual(new Set(['api_keys_key_id_key', ...counters.map((table) => `${table}_pkey`)]));
  });

  it('lets neither role bypass row security, own a table or log in', async () => {
    const { rows } = await owner.query(
      `select rolname from pg_roles r where rolname in ('holdfast_app', 'holdfast_system')
       and (rolsuper or rolbypassrls or rolcanlogin or exists (select from pg_class where relowner = r.oid))`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a tenant', () => {
  it('sees its own rows in every table', async () => {
    for (const table of tenantTables) expect([table, await visible(table, acme.tenantId)]).not.toEqual([table, 0]);
  });

  it('sees no row of another', async () => {
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from compactions');
    expect(rows[0]?.n).toBe(2);
    expect(await visible('compactions', acme.tenantId)).toBe(1);
    const found = await database.withTenant(acme.tenantId, (tx) =>
      tx.compaction.findUnique({ where: { tenantId_id: { tenantId: globex.tenantId, id: globex.compactionId } } }),
    );
    expect(found).toBeNull();
  });

  it('that is not set sees nothing in any table', async () => {
    for (const table of [...tenantTables, 'tenants']) expect([table, await visible(table, '')]).toEqual([table, 0]);
  });

  it('cannot write a row of another', async () => {
    const foreign = database.withTenant(acme.tenantId, (tx) =>
      tx.tokenCount.create({
        data: { tenantId: globex.tenantId, encoding: 'x', digest: new Uint8Array(32), tokens: 1 },
      }),
    );
    await expect(foreign.catch(sqlStateOf)).resolves.toBe('42501');
  });

  it('cannot refer to a row of another', async () => {
    const foreign = database.withTenant(acme.tenantId, (tx) =>
      tx.event.create({ data: { tenantId: acme.tenantId, compactionId: globex.compactionId, type: 'accepted' } }),
    );
    await expect(foreign.catch(sqlStateOf)).resolves.toBe('23503');
  });

  it('leaves nothing behind in the connection', async () => {
    const single = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 1 });
    await single.withTenant(acme.tenantId, (tx) => tx.session.findMany());
    const seen = await single.asSystem(
      (tx) => tx.$queryRaw<{ tenant: string; role: string }[]>`
        select current_setting('app.tenant_id', true) as tenant, current_user::text as role`,
    );
    await single.close();
    expect(seen).toEqual([{ tenant: '', role: 'holdfast_system' }]);
  });

  it('is named by a UUID', async () => {
    await expect(database.withTenant('acme', () => Promise.resolve())).rejects.toMatchObject({
      code: 'TENANT_ID_INVALID',
    });
  });
});

describe('the system role', () => {
  it('sees work and keys of all tenants', async () => {
    const seen = await database.asSystem(async (tx) => ({
      compactions: await tx.$queryRaw<
        unknown[]
      >`select tenant_id, id, status from compactions for no key update skip locked`,
      outbox: await tx.outbox.findMany(),
      keys: await tx.apiKey.findMany(),
    }));
    expect(seen).toMatchObject({ compactions: { length: 2 }, outbox: { length: 2 }, keys: { length: 2 } });
  });

  it('moves an outbox row and a lease', async () => {
    await database.asSystem(async (tx) => {
      await tx.$executeRaw`update outbox set claimed_until = clock_timestamp() + interval '5 s'`;
      await tx.$executeRaw`update sessions set lease_until = clock_timestamp() where id = ${acme.sessionId}::uuid`;
    });
  });

  it.each(['originals', 'windows', 'records', 'effects', 'receipts', 'refusals', 'drift_incidents', 'agent_policies'])(
    'cannot read %s',
    async (table) => {
      await owner.query('begin');
      await owner.query(`select set_config('role', 'holdfast_system', true)`);
      await expect(owner.query(`select tenant_id from "${table}"`).catch(sqlStateOf)).resolves.toBe('42501');
      await owner.query('rollback');
    },
  );

  it.each(['request', 'secured_state', 'notices'])('cannot read compactions.%s', async (column) => {
    await owner.query('begin');
    await owner.query(`select set_config('role', 'holdfast_system', true)`);
    await expect(owner.query(`select "${column}" from compactions`).catch(sqlStateOf)).resolves.toBe('42501');
    await owner.query('rollback');
  });
});
