import { type EffectDraft, type SecureBatch, sha256Hex } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { accept, ANY_DIGEST, CLAIM, claimed, seedAgent } from '../test/sessions';
import { createDatabase, type Database, type TenantTransaction } from './database';
import { applyMigrations } from './migrations/migrate';
import type { ClaimedPass } from './passes/claim';
import type { FencedRows } from './passes/fence';
import { createPassRepository } from './passes/pass-repository';
import { createSessionRepository } from './sessions/session-repository';
import { createPrismaSessionStore } from './session-store/prisma-session-store';
import { newId } from './uuid';

/**
 * Mutation guards: each case runs a scenario twice, as it is and with one guard taken out, and its checker has to see
 * the difference. A checker that stays green without the guard proves nothing.
 */
const mockRemoved = { fence: false, version: false, occurrence: false, outbox: false };

jest.mock('./passes/fence', () => {
  const actual = jest.requireActual('./passes/fence');
  return {
    ...actual,
    async lockFenced(tx: TenantTransaction, fence: ClaimedPass['fence']): Promise<FencedRows> {
      if (mockRemoved.version) return { ...(await actual.lockFenced(tx, fence)), version: 0n };
      if (!mockRemoved.fence) return actual.lockFenced(tx, fence);
      const [session] = await tx.$queryRaw<Omit<FencedRows, 'seq' | 'phase' | 'inputWindowId'>[]>`
        select version, passes, finished_seq as "finishedSeq", receipt_hash as "receiptHash" from sessions
        where tenant_id = ${fence.tenantId}::uuid and id = ${fence.sessionId}::uuid`;
      const [pass] = await tx.$queryRaw<Pick<FencedRows, 'seq' | 'phase' | 'inputWindowId'>[]>`
        select seq, phase, input_window_id::text as "inputWindowId" from compactions
        where tenant_id = ${fence.tenantId}::uuid and id = ${fence.compactionId}::uuid`;
      if (session === undefined || pass === undefined) throw new Error('no such pass');
      return { ...session, ...pass };
    },
  };
});

jest.mock('./session-store/read-session', () => {
  const actual = jest.requireActual('./session-store/read-session');
  return {
    ...actual,
    async storedEffect(row: Parameters<typeof actual.storedEffect>[0]) {
      const effect = await actual.storedEffect(row);
      return mockRemoved.occurrence ? { ...effect, occurrence: `${effect.occurrence}, forgotten` } : effect;
    },
  };
});

jest.mock('./outbox/write-dispatch', () => {
  const actual = jest.requireActual('./outbox/write-dispatch');
  return {
    ...actual,
    writeDispatch: (...given: unknown[]) =>
      mockRemoved.outbox && given[3] === 'compaction.summarize'
        ? Promise.resolve({ topic: given[3], compactionId: given[2], dispatchNo: 1 })
        : actual.writeDispatch(...given),
  };
});

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  tenantId = await seedAgent(database);
});
afterEach(() => Object.assign(mockRemoved, { fence: false, version: false, occurrence: false, outbox: false }));
afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

type Guard = keyof typeof mockRemoved;

async function withAndWithout(guard: Guard, findViolations: () => Promise<readonly string[]>): Promise<void> {
  expect(await findViolations()).toEqual([]);
  mockRemoved[guard] = true;
  expect(await findViolations()).not.toEqual([]);
}

const PAID: EffectDraft = {
  ...{ occurrence: 'call-1', action: 'pay', target: 'W1', kind: 'write', status: 'succeeded', statusRaw: undefined },
  ...{ idempotencyKey: undefined, keySource: 'none', argumentsDigest: ANY_DIGEST, evidence: 'ok', kept: [] },
};

function batch(plan: string, effects: readonly EffectDraft[] = []): SecureBatch {
  const accepted = { pass: 0, entries: [{ id: 'a', digest: ANY_DIGEST }] };
  return { originals: [], handles: [], records: [], effects, accepted, nextElement: 2, planDigest: sha256Hex(plan) };
}

function storeOf({ fence }: ClaimedPass, handOver = false): ReturnType<typeof createPrismaSessionStore> {
  const pass = { compactionId: fence.compactionId, fenceEpoch: fence.epoch, handOver };
  return createPrismaSessionStore(database, { tenantId, sessionId: fence.sessionId, pass });
}

/** What an attempt came to: nothing, or the code that it was refused with. */
async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'written';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'refused';
  }
}

it('the fence: a worker that lost its lease writes nothing', () =>
  withAndWithout('fence', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    const zombie = await createPassRepository(database).claim(id, { ...CLAIM, leaseMs: 0 });
    if (zombie.kind !== 'claimed') return [zombie.kind];
    const heir = await claimed(database, id);
    await attempt(() => storeOf(zombie).secure(batch('zombie', [PAID])));
    const { effects } = await storeOf(heir).load();
    return effects.map(({ ref }) => `${ref} was written by the zombie`);
  }));

it('compare-and-set: a pass made against an older window hands nothing out', () =>
  withAndWithout('version', async () => {
    const session = newId();
    const { id, sessionId, inputWindowId } = await accept(database, tenantId, { session });
    const pass = await claimed(database, id);
    const sessions = createSessionRepository(database);
    await sessions.restore(tenantId, sessionId, inputWindowId);
    const window = JSON.stringify(newId());
    const receipt = {
      ...{ mode: 'observe' },
      ...{ version: 1, format: 'elements', hash: sha256Hex(window), previous: null, elements: [] },
      classes: { reclaim: 1, pin_effect: 0, externalize: 0, ambiguous: 0 },
    };
    const proven = {
      ...{ window, manifest: { pass: 1, entries: [] }, receipt: receipt as never, aimMet: true },
      ...{ tokensAfter: 1, tokensPinned: 0, replacedPrefix: { messages: 1, sha256: ANY_DIGEST } },
    };
    const outcome = {
      outcome: 'compacted' as const,
      proven,
      tokensBefore: 2,
      tokensSystem: 0,
      notices: [],
      incidents: [],
    };
    const request = { version: pass.version, agentId: pass.agentId };
    await createPassRepository(database).finish(pass.fence, { kind: 'outcome', outcome, times: {} }, request);
    const now = await sessions.find(tenantId, 'billing-bot', session);
    return now?.handedOutWindowId === inputWindowId ? [] : ['the restored window was overwritten'];
  }));

it('the outbox row: what is secured is due with the same commit', () =>
  withAndWithout('outbox', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    await storeOf(await claimed(database, id), true).secure(batch('plan'));
    const { rows } = await owner.query('select topic from outbox where aggregate_id = $1 and sent_at is null', [id]);
    return rows.length === 1 ? [] : ['nobody would be told'];
  }));

it('the occurrence: one call is one effect, however often it is secured', async () => {
  const findViolations = async (): Promise<readonly string[]> => {
    const pass = await claimed(database, (await accept(database, tenantId, { session: newId() })).id);
    await storeOf(pass).secure(batch('once', [PAID]));
    await attempt(() => storeOf(pass).secure(batch('twice', [PAID])));
    const { rows } = await owner.query('select no from effects where session_id = $1', [pass.fence.sessionId]);
    return rows.slice(1).map(({ no }) => `E${no} repeats E1`);
  };
  expect(await findViolations()).toEqual([]);
  // Two guards, one behind the other: the lookup, and the key of the table.
  mockRemoved.occurrence = true;
  expect(await findViolations()).toEqual([]);
  await owner.query('drop index effects_tenant_id_session_id_occurrence_key');
  expect(await findViolations()).not.toEqual([]);
});
