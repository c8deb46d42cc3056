import type { Outcome, Refusal } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { accept, claimed, seedAgent } from '../../test/sessions';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { createPassRepository } from '../passes/pass-repository';
import { createRefusalRepository } from './refusal-repository';
import { createRefusalRetrier } from './retry-rest';

let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 6 });
});

beforeEach(async () => {
  tenantId = await seedAgent(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const FACTS = { tokensBefore: 700, tokensSystem: 0, notices: [], incidents: [], receipt: undefined };
const REFUSAL: Refusal = {
  ...{ code: 'TARGET_UNREACHABLE', message: 'At most 10 of 500 tokens', elements: [], floor_tokens: 690 },
  ...{ shortfall_tokens: 490, headroom_tokens: 300 },
  repairs: [{ kind: 'lower_target', reclaim_target_tokens: 10, message: 'Ask for 10 tokens' }],
};
const REFUSED: Outcome = { outcome: 'refused', refusal: REFUSAL, bestProven: undefined, ...FACTS };
const PASSED: Outcome = { outcome: 'unchanged', reason: 'aim_met', would: undefined, wouldRefuse: undefined, ...FACTS };

async function end(id: string, outcome: Outcome): Promise<void> {
  const pass = await claimed(database, id);
  const request = { version: pass.version, agentId: pass.agentId };
  await createPassRepository(database).finish(pass.fence, { kind: 'outcome', outcome, times: {} }, request);
}

async function refuse(session: string): Promise<string> {
  const { id, sessionId } = await accept(database, tenantId, { session, reclaimTargetTokens: 500 });
  await end(id, REFUSED);
  return sessionId;
}

const repository = () => createRefusalRepository(database);
const by = () => ({ tenantId, actor: 'key', agentIds: undefined });
async function group() {
  const { items } = await repository().list(tenantId, { agentIds: undefined }, { limit: 10, after: undefined });
  const [first] = items;
  if (first === undefined || items.length > 1) throw new Error(`${items.length} groups`);
  return first;
}
const retries = () =>
  database.withTenant(tenantId, (tx) =>
    tx.compaction.findMany({ where: { retryOf: { not: null } }, orderBy: { id: 'asc' } }),
  );

/** A session that somebody holds while `work` runs. */
async function whileHeld(sessionId: string, work: () => Promise<void>): Promise<void> {
  await database.withTenant(tenantId, async (tx) => {
    await tx.$queryRaw`select 1 as held from sessions where id = ${sessionId}::uuid for no key update`;
    await work();
  });
}

describe('a resolution of three sessions, one of which is busy', () => {
  it('leaves that one to a worker, which makes its pass once, with the terms of the resolution', async () => {
    await refuse('a');
    await refuse('b');
    const busy = await refuse('c');
    const { id } = await group();
    await whileHeld(busy, async () => {
      const answer = await repository().resolve(by(), id, { kind: 'lower_target' });
      expect(answer).toMatchObject({ kind: 'resolving', remaining: 1, group: { retriesOpen: 2 } });
    });
    // Those that were made pass before the rest is made: the group stays open for it.
    for (const retry of await retries()) await end(retry.id, PASSED);
    expect(await group()).toMatchObject({ status: 'open', retriesOpen: 0, resolution: 'lower_target' });

    const retrier = createRefusalRetrier(database);
    const made = await Promise.all([retrier.retryRest(), retrier.retryRest(), retrier.retryRest()]);
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(1);
    const all = await retries();
    expect(all.map(({ targetTokens }) => targetTokens)).toEqual([10n, 10n, 10n]);
    expect(await retrier.retryRest()).toBe(0);
    await end(all.find(({ sessionId }) => sessionId === busy)?.id ?? '', PASSED);
    expect(await group()).toMatchObject({ status: 'resolved', retriesOpen: 0 });
  });
});

describe('a retried pass', () => {
  it('that fails for want of a server leaves the refusal open, with a step that says so', async () => {
    await refuse('a');
    const { id } = await group();
    await repository().resolve(by(), id, { kind: 'retry', reason: 'the store is back' });
    const [retry] = await retries();
    const pass = await claimed(database, retry?.id ?? '');
    const request = { version: pass.version, agentId: pass.agentId };
    await createPassRepository(database).finish(pass.fence, { kind: 'failed', errorCode: 'STORE_CONFLICT' }, request);
    expect(await group()).toMatchObject({ status: 'open', retriesOpen: 0, resolution: undefined });
    const { items } = await repository().listSteps(tenantId, id, { limit: 10, after: undefined });
    expect(items.map(({ kind }) => kind)).toEqual(['resolution', 'retry_failed', 'still_open']);
  });

  it('that an agent only observes proves nothing', async () => {
    await refuse('a');
    const { id } = await group();
    await repository().resolve(by(), id, { kind: 'retry', reason: 'switched to observe' });
    const [retry] = await retries();
    await end(retry?.id ?? '', { ...PASSED, outcome: 'unchanged', reason: 'observe', wouldRefuse: REFUSAL });
    expect(await group()).toMatchObject({ status: 'open', count: 1 });
  });

  it('leaves nothing behind when its transaction ends before the commit', async () => {
    await refuse('a');
    const { id } = await group();
    await repository().resolve(by(), id, { kind: 'retry', reason: 'again' });
    const [retry] = await retries();
    const pass = await claimed(database, retry?.id ?? '');
    const request = {
      ...{ version: pass.version, agentId: pass.agentId },
      beforeCommit: () => {
        throw new Error('killed');
      },
    };
    const finishing = createPassRepository(database).finish(
      pass.fence,
      { kind: 'outcome', outcome: PASSED, times: {} },
      request,
    );
    await expect(finishing).rejects.toThrow('killed');
    expect(await group()).toMatchObject({ status: 'open', retriesOpen: 1 });
    const again = { version: pass.version, agentId: pass.agentId };
    await createPassRepository(database).finish(pass.fence, { kind: 'outcome', outcome: PASSED, times: {} }, again);
    expect(await group()).toMatchObject({ status: 'resolved', retriesOpen: 0 });
  });

  it('tells the alert engine that its refusal is resolved', async () => {
    await refuse('a');
    const { id } = await group();
    await repository().resolve(by(), id, { kind: 'lower_target' });
    const [retry] = await retries();
    await end(retry?.id ?? '', PASSED);
    const owed = await database.withTenant(tenantId, (tx) => tx.alertSignal.findMany({ orderBy: { id: 'asc' } }));
    expect(owed.map(({ type, subject }) => [type, subject])).toEqual([
      ['compaction.refused', id],
      ['compaction.refusal_resolved', id],
    ]);
  });
});
