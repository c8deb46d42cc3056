import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { digestOf, seedFacts, seedPass, type SeededPass } from '../../test/rows';
import { type AuditRepository, createAuditRepository } from '../audit-repository';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { encodeOriginals, findOriginal, storeOriginals } from '../originals';
import { newId } from '../uuid';
import { createRetentionRepository, retentionOf, type RetentionRepository } from './retention-repository';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let retention: RetentionRepository;
let audit: AuditRepository;
let pass: SeededPass;

const FIRST_WINDOW = '[{"role":"user","content":"first"}]';
const RECORD = 'never deploy on a Friday';

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  retention = createRetentionRepository(database);
  audit = createAuditRepository(database);
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
});

beforeEach(async () => {
  const tenantId = newId();
  pass = await database.withTenant(tenantId, (tx) => seedPass(tx, tenantId, FIRST_WINDOW));
  await database.withTenant(tenantId, (tx) => seedFacts(tx, pass));
  // The pass is over, and another window has come since.
  await owner.query(
    `update compactions set status = 'finished', phase = 'finished', outcome = 'unchanged', finished_at = now()
     where tenant_id = $1`,
    [tenantId],
  );
  await owner.query('update sessions set finished_seq = next_seq - 1 where tenant_id = $1', [tenantId]);
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

async function isThere(text: string): Promise<boolean> {
  const found = await database.withTenant(pass.tenantId, (tx) => findOriginal(tx, pass.tenantId, digestOf(text)));
  return found !== undefined;
}

/** Everything of the tenant as if it had been stored so long ago. */
async function age(days: number, table: 'originals' | 'windows' | 'sessions'): Promise<void> {
  await owner.query(`alter table ${table} disable trigger user`);
  const column = table === 'sessions' ? 'updated_at' : 'created_at';
  await owner.query(`update ${table} set ${column} = now() - $2::int * interval '1 day' where tenant_id = $1`, [
    pass.tenantId,
    days,
  ]);
  await owner.query(`alter table ${table} enable trigger user`);
}

async function ageContent(days: number): Promise<void> {
  await age(days, 'originals');
  await age(days, 'windows');
}

it('takes old windows, and nothing that a record, a handle or a segment needs', async () => {
  await ageContent(31);
  expect(await retention.expire(pass.tenantId)).toMatchObject({ sessions: 0, originals: 1 });
  expect(await isThere(FIRST_WINDOW)).toBe(false);
  expect(await isThere(RECORD)).toBe(true);
  const { items } = await audit.list(pass.tenantId, { action: 'data.expire' }, { limit: 10, after: undefined });
  expect(items).toMatchObject([{ actor: 'system', detail: { originals: 1 } }]);
});

it('leaves young windows, and says nothing when there is nothing to do', async () => {
  await ageContent(29);
  expect(await retention.expire(pass.tenantId)).toEqual({ sessions: 0, originals: 0, bytes: 0 });
  expect(await isThere(FIRST_WINDOW)).toBe(true);
  const { items } = await audit.list(pass.tenantId, { action: 'data.expire' }, { limit: 10, after: undefined });
  expect(items).toEqual([]);
});

it.each(['accepted_window_id', 'handed_out_window_id'])(
  'leaves the window that is the %s, however old',
  async (column) => {
    await owner.query(`update sessions set ${column} = $2 where tenant_id = $1`, [pass.tenantId, pass.windowId]);
    await ageContent(80);
    await retention.expire(pass.tenantId);
    expect(await isThere(FIRST_WINDOW)).toBe(true);
  },
);

it('leaves the window of a pass that has not finished', async () => {
  await owner.query('update sessions set next_seq = next_seq + 1 where tenant_id = $1', [pass.tenantId]);
  await database.withTenant(pass.tenantId, (tx) =>
    tx.compaction.create({
      data: {
        ...{ tenantId: pass.tenantId, id: newId(), sessionId: pass.sessionId, agentId: pass.agentId, seq: 2 },
        ...{ inputWindowId: pass.windowId, mode: 'enforce', format: 'elements', counter: 'o200k_base' },
        ...{ budgetTokens: 1_000, policyVersion: 1, requestHash: digestOf('other') },
      },
    }),
  );
  await ageContent(80);
  await age(200, 'sessions');
  expect(await retention.expire(pass.tenantId)).toMatchObject({ sessions: 0 });
  expect(await isThere(FIRST_WINDOW)).toBe(true);
});

it('takes everything of a session that nothing happens in, by the days of its tenant', async () => {
  await ageContent(10);
  await age(10, 'sessions');
  await retention.expire(pass.tenantId);
  expect(await isThere(RECORD)).toBe(true);
  await owner.query(`update tenants set retention = '{"windows_days":5,"sessions_days":9}' where id = $1`, [
    pass.tenantId,
  ]);
  expect(await retention.expire(pass.tenantId)).toMatchObject({ sessions: 1, originals: 2 });
  expect(await isThere(RECORD)).toBe(false);
  expect(await retention.expire(pass.tenantId)).toEqual({ sessions: 0, originals: 0, bytes: 0 });
});

it('leaves what somebody refers to at this very moment', async () => {
  await ageContent(40);
  const [original] = await encodeOriginals([Buffer.from(FIRST_WINDOW)]);
  if (original === undefined) throw new Error('no original');
  await database.withTenant(pass.tenantId, async (tx) => {
    await storeOriginals(tx, pass.tenantId, [original]);
    expect(await retention.expire(pass.tenantId)).toMatchObject({ originals: 0 });
  });
  expect(await isThere(FIRST_WINDOW)).toBe(true);
});

it('is done by one process at a time', async () => {
  await database.withTenant(pass.tenantId, async (tx) => {
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended(${`holdfast retention ${pass.tenantId}`}, 0))::text`;
    expect(await retention.expire(pass.tenantId)).toBeUndefined();
  });
});

it('takes days that make no sense for none', () => {
  expect(retentionOf({ windows_days: 0, sessions_days: 'x' })).toEqual({ windowsDays: 30, sessionsDays: 90 });
  expect(retentionOf({ windows_days: 7 })).toEqual({ windowsDays: 7, sessionsDays: 90 });
  expect(retentionOf(null)).toEqual({ windowsDays: 30, sessionsDays: 90 });
});
