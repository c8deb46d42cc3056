import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { seedPass } from '../test/rows';
import { type AuditRepository, createAuditRepository } from './audit-repository';
import { createDatabase, type Database } from './database';
import { applyMigrations } from './migrations/migrate';
import { newId } from './uuid';

let testDatabase: TestDatabase;
let database: Database;
let audit: AuditRepository;
let owner: Client;
let acme: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  audit = createAuditRepository(database);
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
});

beforeEach(async () => {
  acme = newId();
  await database.withTenant(acme, (tx) => seedPass(tx, acme));
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

async function write(...subjects: string[]): Promise<void> {
  for (const subject of subjects) await audit.record(acme, { actor: 'key', action: 'agent.put', subject });
}

/** As somebody who owns the schema and goes round its triggers. */
async function asOwner(sql: string, values: unknown[]): Promise<void> {
  await owner.query('alter table audit_log disable trigger user');
  await owner.query(sql, values);
  await owner.query('alter table audit_log enable trigger user');
}

async function idOf(subject: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>('select id from audit_log where tenant_id = $1 and subject = $2', [
    acme,
    subject,
  ]);
  return rows[0]?.id ?? '';
}

it('is one unbroken chain, however many write at once', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => write(`s${n}`)));
  const found = await audit.verify(acme);
  expect(found).toMatchObject({ rows: 40, unchained: 0, firstBroken: undefined });
  expect(found.head).toEqual(await audit.findHead(acme));
});

it('of nothing is whole', async () => {
  expect(await audit.verify(acme)).toEqual({ rows: 0, unchained: 0, head: undefined, firstBroken: undefined });
  expect(await audit.findHead(acme)).toBeUndefined();
});

it.each(['update audit_log set subject = $1', 'delete from audit_log where subject <> $1'])(
  'refuses "%s" by the runtime login and by the owner',
  async (sql) => {
    await write('one');
    const asRuntime = database.withTenant(acme, (tx) => tx.$executeRawUnsafe(sql, 'other'));
    await expect(asRuntime).rejects.toThrow(/permission denied/u);
    await expect(owner.query(sql, ['other'])).rejects.toMatchObject({ code: 'HF001' });
    expect((await audit.verify(acme)).rows).toBe(1);
  },
);

it('names the row that somebody edited', async () => {
  await write('one', 'two', 'three');
  await asOwner("update audit_log set actor = 'somebody else' where tenant_id = $1 and subject = 'two'", [acme]);
  const { firstBroken, rows } = await audit.verify(acme);
  expect(firstBroken).toMatchObject({ id: await idOf('two'), reason: 'hash_mismatch' });
  expect(rows).toBe(2);
});

it('names the row behind one that was taken out', async () => {
  await write('one', 'two', 'three');
  await asOwner("delete from audit_log where tenant_id = $1 and subject = 'two'", [acme]);
  expect((await audit.verify(acme)).firstBroken).toMatchObject({ id: await idOf('three'), reason: 'link_broken' });
});

it('names a row whose hash was made to fit, because the next one does not', async () => {
  await write('one', 'two', 'three');
  await asOwner(
    `update audit_log set actor = 'x',
       hash = holdfast_audit_hash(id, tenant_id, 'x', action, subject, detail, at, prev_hash)
     where tenant_id = $1 and subject = 'two'`,
    [acme],
  );
  expect((await audit.verify(acme)).firstBroken).toMatchObject({ id: await idOf('three'), reason: 'link_broken' });
});

it('shows a row that is missing at the end by an anchor only', async () => {
  await write('one', 'two');
  const anchor = await audit.findHead(acme);
  await asOwner("delete from audit_log where tenant_id = $1 and subject = 'two'", [acme]);
  const found = await audit.verify(acme);
  expect(found.firstBroken).toBeUndefined();
  expect(found.head).not.toEqual(anchor);
});

it('is listed by what is asked for, page by page, and exported in order', async () => {
  await write('a', 'b', 'c');
  await audit.record(acme, { actor: 'other', action: 'key.revoke', subject: 'a' });
  const all = { limit: 2, after: undefined };
  const first = await audit.list(acme, {}, all);
  const second = await audit.list(acme, {}, { limit: 2, after: first.next });
  expect([...first.items, ...second.items].map(({ subject }) => subject)).toEqual(['a', 'c', 'b', 'a']);
  expect(second.next).toBeUndefined();
  expect((await audit.list(acme, { actor: 'other' }, all)).items).toHaveLength(1);
  expect((await audit.list(acme, { action: 'key.revoke', subject: 'b' }, all)).items).toEqual([]);
  expect((await audit.list(acme, { from: new Date(Date.now() + 60_000) }, all)).items).toEqual([]);
  const exported = await audit.listFrom(acme, { subject: 'a' }, undefined, 10);
  expect(exported.map(({ action }) => action)).toEqual(['agent.put', 'key.revoke']);
});
