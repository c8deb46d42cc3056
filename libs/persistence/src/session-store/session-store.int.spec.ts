import type { SecureBatch } from '@holdfast/core';
import { sha256Hex } from '@holdfast/core';
import { sessionStoreConformance } from '@holdfast/core/testing';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { ANY_DIGEST, claimedPass, seedAgent } from '../../test/sessions';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import type { ClaimedPass } from '../passes/claim';
import { createPassRepository } from '../passes/pass-repository';
import { createPrismaSessionStore } from './prisma-session-store';

let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  tenantId = await seedAgent(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function storeOf({ fence }: ClaimedPass): ReturnType<typeof createPrismaSessionStore> {
  const pass = { compactionId: fence.compactionId, fenceEpoch: fence.epoch };
  return createPrismaSessionStore(database, { tenantId, sessionId: fence.sessionId, pass });
}

function emptyBatch(plan: string): SecureBatch {
  const accepted = { pass: 0, entries: [{ id: 'e1', digest: ANY_DIGEST }] };
  return {
    originals: [],
    handles: [],
    records: [],
    effects: [],
    accepted,
    nextElement: 2,
    planDigest: sha256Hex(plan),
  };
}

describe('the session store of the core', () => {
  it.each(sessionStoreConformance.map(({ name, run }) => ({ name, run })))('$name', async ({ run }) => {
    await run(storeOf(await claimedPass(database, tenantId)));
  });
});

it('writes 20,000 elements in one transaction', async () => {
  const store = storeOf(await claimedPass(database, tenantId));
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const texts = numbers.map((at) => `result ${at}: ${'some text of a result '.repeat(8)}`);
  const digests = texts.map(sha256Hex);
  const batch: SecureBatch = {
    originals: texts.map((text, at) => ({ sha256: digests[at] ?? '', text })),
    handles: numbers.map((at) => ({
      ...{ handle: `h_${String(at).padStart(6, '0')}`, sha256: digests[at] ?? '', elementId: `e${at}` },
      ...{ label: 'get_order', tokens: 40 },
    })),
    records: numbers.slice(0, 5_000).map((at) => ({
      ...{ elementId: `e${at}`, kind: 'constraint' as const, digest: sha256Hex(`rule ${at}`), content: `rule ${at}` },
      ...{ label: '', trust: 'human' as const },
    })),
    effects: numbers.map((at) => ({
      ...{ occurrence: `e${at}`, action: 'send', target: `user ${at}`, kind: 'write' as const, evidence: 'result' },
      ...{ idempotencyKey: `k${at}`, keySource: 'declared' as const, argumentsDigest: ANY_DIGEST, kept: ['id: 1'] },
      ...{ status: 'succeeded' as const, statusRaw: 'OK' },
    })),
    accepted: { pass: 0, entries: numbers.map((at) => ({ id: `e${at}`, digest: digests[at] ?? '' })) },
    nextElement: 20_001,
    planDigest: sha256Hex('big'),
  };
  const receipt = await store.secure(batch);
  expect([receipt.originals.length, receipt.handles.length, receipt.records.length, receipt.effects.length]).toEqual([
    20_000, 20_000, 5_000, 20_000,
  ]);
  const state = await store.load();
  expect(state.history?.entries).toEqual(batch.accepted.entries);
}, 120_000);

it('knows earlier windows of the session, newest first', async () => {
  const session = 'of-several-branches';
  const windows = ['one', 'two', 'three'].map((word) => ({
    pass: 0,
    entries: [{ id: 'e1', digest: sha256Hex(word) }],
  }));
  for (const [at, accepted] of windows.entries()) {
    const pass = await claimedPass(database, tenantId, session);
    await storeOf(pass).secure({ ...emptyBatch(`plan ${at}`), accepted });
    const { accepted: last, earlier } = await storeOf(pass).load();
    expect([last, ...earlier]).toEqual(windows.slice(0, at + 1).toReversed());
    const end = { kind: 'superseded', reason: 'base_version_stale' } as const;
    await createPassRepository(database).finish(pass.fence, end, { version: pass.version, agentId: 'billing-bot' });
  }
}, 30_000);

it('only reads without a pass', async () => {
  const { fence } = await claimedPass(database, tenantId);
  const store = createPrismaSessionStore(database, { tenantId, sessionId: fence.sessionId });
  await expect(store.load()).resolves.toMatchObject({ passes: 0 });
  await expect(store.secure(emptyBatch('no pass'))).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
});

it('leaves nothing when the transaction ends before its commit', async () => {
  const { fence } = await claimedPass(database, tenantId);
  const store = createPrismaSessionStore(database, {
    ...{ tenantId, sessionId: fence.sessionId },
    pass: {
      ...{ compactionId: fence.compactionId, fenceEpoch: fence.epoch },
      beforeCommit: () => {
        throw new Error('the process ends here');
      },
    },
  });
  await expect(store.secure(emptyBatch('cut off'))).rejects.toThrow('the process ends here');
  expect(await store.findSecured(emptyBatch('cut off'))).toBeUndefined();
  expect((await store.load()).accepted).toBeUndefined();
});
