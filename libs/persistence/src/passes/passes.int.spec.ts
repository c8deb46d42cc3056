import { sha256Hex, type Outcome, type Receipt, type SecureBatch } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { accept, acceptInput, ANY_DIGEST, CLAIM, claimed, seedAgent } from '../../test/sessions';
import { createCompactionRepository } from '../compactions/compaction-repository';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { createOutboxRepository } from '../outbox/outbox-repository';
import { createReconcileRepository } from '../outbox/reconcile-repository';
import { createSessionRepository } from '../sessions/session-repository';
import { createPrismaSessionStore } from '../session-store/prisma-session-store';
import { newId } from '../uuid';
import type { ClaimedPass } from './claim';
import { createPassRepository } from './pass-repository';

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

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

const passes = () => createPassRepository(database);
const compactions = () => createCompactionRepository(database);

function batch(plan: string): SecureBatch {
  const accepted = { pass: 0, entries: [{ id: 'a', digest: ANY_DIGEST }] };
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

function storeOf({ fence }: ClaimedPass, over: { readonly handOver?: boolean } = {}) {
  const pass = { compactionId: fence.compactionId, fenceEpoch: fence.epoch, ...over };
  return createPrismaSessionStore(database, { tenantId, sessionId: fence.sessionId, pass });
}

/** Far below the budget. */
const FLOOR_TOKENS = 4;

function receipt(hash: string, previous: string | null): Receipt {
  const classes = { reclaim: 1, pin_effect: 0, externalize: 0, ambiguous: 0 };
  const tokens = { before: 10, after: 4, system: 0, pinned: 1, floor: FLOOR_TOKENS };
  const facts = { version: 1, format: 'elements', mode: 'enforce', budget_tokens: 20_000, tokens };
  return { ...facts, hash, previous, classes, elements: [] } as unknown as Receipt;
}

const FACTS = { tokensBefore: 10, tokensSystem: 0, notices: [], incidents: [] };

function compacted(previous: string | null = null): Outcome {
  const window = `["compacted ${newId()}"]`;
  return {
    ...{ outcome: 'compacted', ...FACTS },
    proven: {
      ...{ window, manifest: { pass: 1, entries: [{ id: 'a', digest: ANY_DIGEST }] }, tokensAfter: 4, tokensPinned: 1 },
      ...{ receipt: receipt(sha256Hex(window), previous), aimMet: true },
      replacedPrefix: { messages: 1, sha256: ANY_DIGEST },
    },
  };
}

const UNCHANGED: Outcome = {
  ...{
    outcome: 'unchanged',
    reason: 'aim_met',
    would: undefined,
    wouldRefuse: undefined,
    receipt: undefined,
    ...FACTS,
  },
};

function finish(pass: ClaimedPass, outcome: Outcome = UNCHANGED) {
  const request = { version: pass.version, agentId: pass.agentId };
  return passes().finish(pass.fence, { kind: 'outcome', outcome, times: { secureMs: 12.4 } }, request);
}

async function outboxTopics(compactionId: string): Promise<unknown[]> {
  const { rows } = await owner.query(
    `select topic, payload->>'dispatch_no' as no from outbox where aggregate_id = $1 order by id`,
    [compactionId],
  );
  return rows.map(({ topic, no }) => `${topic} d${no}`);
}

describe('accepting a window', () => {
  it('is one compaction for one idempotency key, however often and at once it is sent', async () => {
    const input = acceptInput({ session: newId(), idempotencyKey: 'key-1' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => compactions().accept(tenantId, input)));
    const ids = new Set(answers.map((answer) => (answer.kind === 'key_reused' ? '' : answer.compaction.id)));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(await outboxTopics([...ids][0] ?? '')).toEqual(['compaction.secure d1']);
  });

  it('says that a key was used for another request', async () => {
    await accept(database, tenantId, { session: newId(), idempotencyKey: 'key-2' });
    const other = acceptInput({ session: newId(), idempotencyKey: 'key-2', source: Buffer.from('[]') });
    expect(await compactions().accept(tenantId, other)).toEqual({ kind: 'key_reused' });
  });

  it('numbers the passes of a session without gaps', async () => {
    const session = newId();
    const accepted = await Promise.all([1, 2, 3, 4, 5].map(() => accept(database, tenantId, { session })));
    expect(accepted.map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('claiming', () => {
  it('has one winner among many', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => passes().claim(id, CLAIM)));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', ...new Array(7).fill('leased')]);
  });

  it('goes by the order of the session', async () => {
    const session = newId();
    const first = await accept(database, tenantId, { session });
    const second = await accept(database, tenantId, { session });
    expect(await passes().claim(second.id, CLAIM)).toEqual({ kind: 'not_its_turn' });
    const ended = await finish(await claimed(database, first.id));
    expect(ended.successor).toMatchObject({ topic: 'compaction.secure', compactionId: second.id, dispatchNo: 2 });
    expect(await passes().claim(second.id, CLAIM)).toMatchObject({ kind: 'claimed', seq: 2n });
  });

  it('knows what is finished and what never was', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    await finish(await claimed(database, id));
    expect(await passes().claim(id, CLAIM)).toEqual({ kind: 'finished' });
    expect(await passes().claim(newId(), CLAIM)).toEqual({ kind: 'unknown' });
  });

  it('counts attempts that broke off, and gives up after the last', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    for (const attempt of [0, 1]) {
      expect(await passes().claim(id, { ...CLAIM, leaseMs: 0, maxAttempts: 2 })).toMatchObject({
        kind: 'claimed',
        attempt,
      });
    }
    expect(await passes().claim(id, { ...CLAIM, leaseMs: 0, maxAttempts: 2 })).toMatchObject({
      kind: 'exhausted',
      attempt: 2,
    });
  });
});

describe('the fence', () => {
  /** Two claims of one pass: the first one's lease ran out. */
  async function twoClaims(): Promise<{ zombie: ClaimedPass; heir: ClaimedPass }> {
    const { id } = await accept(database, tenantId, { session: newId() });
    const zombie = await passes().claim(id, { ...CLAIM, leaseMs: 0 });
    if (zombie.kind !== 'claimed') throw new Error(zombie.kind);
    return { zombie, heir: await claimed(database, id) };
  }
  const FENCED = { code: 'FENCED' };

  it('rejects every write of an older claim', async () => {
    const { zombie, heir } = await twoClaims();
    await expect(storeOf(zombie).secure(batch('zombie'))).rejects.toMatchObject(FENCED);
    const segment = { id: 's_1', elementIds: [], text: 'x', handle: '', summarizer: 'x', inputDigest: ANY_DIGEST };
    await expect(storeOf(zombie).recordSegment(segment)).rejects.toMatchObject(FENCED);
    await expect(passes().heartbeat(zombie.fence, 1_000)).rejects.toMatchObject(FENCED);
    await expect(passes().recordEvent(zombie.fence, 'summarized', {})).rejects.toMatchObject(FENCED);
    await expect(finish(zombie)).rejects.toMatchObject(FENCED);
    const fail = passes().fail(zombie.fence, 'X', { version: 0n, agentId: 'billing-bot', maxAttempts: 5 });
    await expect(fail).rejects.toMatchObject(FENCED);
    await passes().release(zombie.fence);
    expect(await finish(heir)).toMatchObject({ outcome: 'unchanged' });
  });

  it('lets nobody write after the end', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    const pass = await claimed(database, id);
    await finish(pass);
    await expect(finish(pass)).rejects.toMatchObject(FENCED);
    await expect(storeOf(pass).secure(batch('late'))).rejects.toMatchObject(FENCED);
  });
});

describe('securing', () => {
  it('makes the summarize job due with its own commit, once, and hands the session over', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    await storeOf(await claimed(database, id), { handOver: true }).secure(batch('plan'));
    expect(await outboxTopics(id)).toEqual(['compaction.secure d1', 'compaction.summarize d2']);
    const pass = await claimed(database, id);
    expect(pass.phase).toBe('secured');
    await storeOf(pass).secure(batch('another plan'));
    expect(await outboxTopics(id)).toHaveLength(2);
  });
});

describe('finishing', () => {
  const signalled = async (subject: string): Promise<unknown> => {
    const rows = await database.withTenant(tenantId, (tx) => tx.alertSignal.findMany({ where: { tenantId, subject } }));
    return rows.map(({ type, detail }) => ({ type, detail }));
  };

  it.each([
    [19_500, [{ type: 'session.headroom_low', detail: expect.objectContaining({ headroom_tokens: 500 }) as unknown }]],
    [18_000, []],
  ])('says when what may never leave has come to %d of 20,000 tokens', async (floor, signals) => {
    const { id } = await accept(database, tenantId, { session: newId() });
    const pass = await claimed(database, id);
    const outcome = compacted();
    if (outcome.outcome !== 'compacted') throw new Error('not compacted');
    const { receipt: usual } = outcome.proven;
    const proven = { ...outcome.proven, receipt: { ...usual, tokens: { ...usual.tokens, floor } } };
    await finish(pass, { ...outcome, proven });
    expect(await signalled(pass.fence.sessionId)).toEqual(signals);
  });

  it('counts what is held because nobody declared it', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    const notices = [1, 2].map((n) => ({
      code: 'AMBIGUOUS_HELD',
      message: `e${String(n)} is held`,
      elementId: `e${String(n)}`,
    }));
    await finish(await claimed(database, id), { ...compacted(), notices });
    expect(await signalled(id)).toEqual([
      { type: 'compaction.held', detail: expect.objectContaining({ held: 2 }) as unknown },
    ]);
  });

  it('hands a window out as the next version, with its receipt in the chain', async () => {
    const session = newId();
    const first = await accept(database, tenantId, { session });
    const outcome = compacted();
    await finish(await claimed(database, first.id), outcome);
    const result = await compactions().findResult(tenantId, first.id);
    expect(result?.compaction).toMatchObject({ outcome: 'compacted', version: 1, tokensAfter: 4, targetMet: true });
    expect(result?.compaction.phaseMs).toMatchObject({ secure: 12 });
    const head = outcome.outcome === 'compacted' ? outcome.proven.receipt.hash : '';
    expect(JSON.parse(result?.receiptJson ?? '')).toMatchObject({ hash: head });
    const sessions = createSessionRepository(database);
    const stored = await sessions.find(tenantId, 'billing-bot', session);
    expect(stored).toMatchObject({ version: 1, passes: 1, finishedSeq: 1, receiptHash: head });
    const source = await sessions.findWindowSource(tenantId, stored?.id ?? '', result?.compaction.outputWindowId ?? '');
    expect(Buffer.from(source ?? []).toString()).toBe(outcome.outcome === 'compacted' ? outcome.proven.window : '');
    const second = await accept(database, tenantId, { session });
    await finish(await claimed(database, second.id), compacted(head));
    expect((await compactions().find(tenantId, second.id))?.version).toBe(2);
  });

  it('is superseded when the window of the session moved on meanwhile', async () => {
    const session = newId();
    const { id, sessionId, inputWindowId } = await accept(database, tenantId, { session });
    const pass = await claimed(database, id);
    await createSessionRepository(database).restore(tenantId, sessionId, inputWindowId);
    expect(await finish(pass, compacted())).toMatchObject({ outcome: 'superseded' });
    expect(await compactions().find(tenantId, id)).toMatchObject({ outcome: 'superseded', reason: 'session_moved_on' });
    const stored = await createSessionRepository(database).find(tenantId, 'billing-bot', session);
    expect(stored).toMatchObject({ version: 1, passes: 0, finishedSeq: 1, handedOutWindowId: inputWindowId });
  });

  it('keeps a refusal whole, and its best window adoptable once', async () => {
    const { id, sessionId } = await accept(database, tenantId, { session: newId() });
    const best = compacted();
    if (best.outcome !== 'compacted') return;
    const pass = await claimed(database, id);
    await storeOf(pass).secure(batch('plan'));
    const refusal = {
      ...{ code: 'BUDGET_UNREACHABLE' as const, message: 'too big', floor_tokens: 9, shortfall_tokens: 4 },
      ...{ headroom_tokens: -5, repairs: [{ kind: 'raise_budget' as const, budget_tokens: 9, message: 'raise it' }] },
      elements: [{ element_id: 'a\0', path: '/0', evidence: '9 tokens' }],
    };
    await finish(pass, { ...{ outcome: 'refused', refusal, bestProven: best.proven, receipt: undefined }, ...FACTS });
    expect((await compactions().findResult(tenantId, id))?.refusal).toEqual(refusal);
    expect(await compactions().adopt(tenantId, id)).toMatchObject({ kind: 'adopted', compaction: { version: 1 } });
    expect(await compactions().adopt(tenantId, id)).toMatchObject({ kind: 'adopted', compaction: { version: 1 } });
    const windows = await createSessionRepository(database).listWindows(tenantId, sessionId, {
      limit: 10,
      after: undefined,
    });
    expect(windows.items.map(({ kind }) => kind)).toEqual(['handed_out', 'best_proven', 'accepted']);
  });

  it('frees the session after a failure too', async () => {
    const session = newId();
    const first = await accept(database, tenantId, { session });
    const second = await accept(database, tenantId, { session });
    const request = { version: 0n, agentId: 'billing-bot', maxAttempts: 1 };
    const answer = await passes().fail((await claimed(database, first.id)).fence, 'STORE_UNAVAILABLE', request);
    expect(answer).toMatchObject({ kind: 'final', finished: { outcome: 'failed' } });
    expect(await compactions().find(tenantId, first.id)).toMatchObject({
      outcome: 'failed',
      errorCode: 'STORE_UNAVAILABLE',
    });
    expect((await claimed(database, second.id)).seq).toBe(2n);
    const events = await compactions().listEvents(tenantId, first.id, undefined);
    expect(events.map(({ type }) => type)).toEqual(['accepted', 'claimed', 'finished']);
  });
});

describe('outbox and reconciler', () => {
  it('claims what is due for one process at a time', async () => {
    await owner.query(`update outbox set available_at = now() - interval '1 second'`);
    const { id } = await accept(database, tenantId, { session: newId() });
    await owner.query(`update outbox set available_at = now() - interval '1 second'`);
    const outbox = createOutboxRepository(database);
    const both = await Promise.all([outbox.claimDue(1_000, 60_000, 1_000), outbox.claimDue(1_000, 60_000, 1_000)]);
    const claims = both.flatMap(({ claimed: rows }) => rows).filter(({ compactionId }) => compactionId === id);
    expect(claims).toHaveLength(1);
    await outbox.markSent(claims.map(({ outboxId }) => outboxId));
    expect((await outbox.claimDue(1_000, 0, 1_000)).claimed.some(({ compactionId }) => compactionId === id)).toBe(
      false,
    );
  });

  it('a claim of the pass makes its outbox rows sent', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    await claimed(database, id);
    const { rows } = await owner.query('select from outbox where aggregate_id = $1 and sent_at is null', [id]);
    expect(rows).toHaveLength(0);
  });

  it('dispatches again what was lost, in its turn and in its phase', async () => {
    const session = newId();
    const first = await accept(database, tenantId, { session });
    const waiting = await accept(database, tenantId, { session });
    const pass = await passes().claim(first.id, { ...CLAIM, leaseMs: 0 });
    if (pass.kind !== 'claimed') throw new Error(pass.kind);
    await storeOf(pass).secure(batch('plan'));
    await owner.query('update outbox set sent_at = now()');
    await owner.query('update compactions set next_dispatch_at = now() where session_id = $1', [pass.fence.sessionId]);
    const found = await createReconcileRepository(database).redispatchLost(1_000);
    const mine = found?.filter(({ compactionId }) => [first.id, waiting.id].includes(compactionId));
    expect(mine).toEqual([
      { topic: 'compaction.summarize', compactionId: first.id, dispatchNo: 3, reason: 'lease_expired' },
    ]);
    expect(await createReconcileRepository(database).redispatchLost(1_000)).toEqual([]);
  });
});
