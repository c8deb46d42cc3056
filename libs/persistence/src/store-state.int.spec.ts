import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { accept, claimed, seedAgent } from '../test/sessions';
import { createDatabase, type Database } from './database';
import { applyMigrations } from './migrations/migrate';
import { readStoreState } from './store-state';
import { newId } from './uuid';

const NONE = { count: 0, oldestAgeSeconds: 0 };

describe('what stands in the database, over all tenants', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase({ prepare: applyMigrations });
    database = createDatabase({ connectionString: testDatabase.connectionString });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  it('nothing, at first', async () => {
    expect(await readStoreState(database)).toEqual({
      outbox: NONE,
      unfinishedPasses: NONE,
      openRefusals: { page: NONE, ticket: NONE },
      pendingDeliveries: NONE,
    });
  });

  it('passes and jobs of two tenants, with the age of the oldest', async () => {
    for (const session of ['first', 'second']) await accept(database, await seedAgent(database), { session });
    const { outbox, unfinishedPasses } = await readStoreState(database);
    expect([outbox.count, unfinishedPasses.count]).toEqual([2, 2]);
    expect(outbox.oldestAgeSeconds).toBeGreaterThan(0);
    expect(unfinishedPasses.oldestAgeSeconds).toBeGreaterThan(0);
  });

  it('a pass that is claimed has its job, and is not finished', async () => {
    const before = await readStoreState(database);
    const { id } = await accept(database, await seedAgent(database));
    await claimed(database, id);
    const { outbox, unfinishedPasses } = await readStoreState(database);
    expect(outbox.count).toBe(before.outbox.count);
    expect(unfinishedPasses.count).toBe(before.unfinishedPasses.count + 1);
  });

  it('refusals that nobody has resolved, by severity', async () => {
    const tenantId = await seedAgent(database);
    const groups = [
      ['page', 'open', 90],
      ['ticket', 'acknowledged', 3_600],
      ['ticket', 'open', 60],
      ['ticket', 'resolved', 7_200],
    ] as const;
    await database.withTenant(tenantId, async (tx) => {
      for (const [severity, status, age] of groups) {
        await tx.$executeRaw`
          insert into refusal_groups (tenant_id, id, agent_id, code, fingerprint, cause, status, severity, repairs,
            first_seen_at, resolved_at)
          values (${tenantId}::uuid, ${newId()}::uuid, 'billing-bot', 'AMBIGUOUS_ELEMENT', ${newId()}, 'no contract',
            ${status}, ${severity}, '\\x00', clock_timestamp() - ${age}::float8 * interval '1 s',
            case when ${status} = 'resolved' then clock_timestamp() end)`;
      }
    });
    const { openRefusals } = await readStoreState(database);
    expect([openRefusals.page.count, openRefusals.ticket.count]).toEqual([1, 2]);
    expect(Math.floor(openRefusals.page.oldestAgeSeconds / 10)).toBe(9);
    expect(Math.floor(openRefusals.ticket.oldestAgeSeconds / 100)).toBe(36);
  });
});
