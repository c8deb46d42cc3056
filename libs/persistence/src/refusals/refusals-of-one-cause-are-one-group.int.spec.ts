import type { Outcome, Refusal } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { accept, claimed, seedAgent } from '../../test/sessions';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { writeRefusal } from '../passes/outcome-rows';
import { createPassRepository } from '../passes/pass-repository';
import { newId } from '../uuid';
import { createRefusalRepository } from './refusal-repository';

let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 8 });
});

beforeEach(async () => {
  tenantId = await seedAgent(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const FIRST_PAGE = { limit: 200, after: undefined };
const ALL = { agentIds: undefined };
const groups = async () => (await createRefusalRepository(database).list(tenantId, ALL, FIRST_PAGE)).items;

function unreachable(tool: string, over: Partial<Refusal> = {}): Refusal {
  const tokens = 900 + Math.floor(Math.random() * 1_000);
  return {
    code: 'BUDGET_UNREACHABLE',
    message: `The smallest proven window has ${tokens} tokens`,
    elements: [
      { element_id: `e${tokens}`, path: '/3', evidence: `${tokens} tokens`, rule: 'likely_read', tool },
      { element_id: 'e1', path: '/0', evidence: '12 tokens', rule: 'system_text' },
    ],
    floor_tokens: tokens,
    shortfall_tokens: 10,
    headroom_tokens: 300,
    repairs: [{ kind: 'raise_budget', budget_tokens: tokens, message: `Raise the budget by ${tokens} tokens` }],
    ...over,
  };
}

const FACTS = { tokensBefore: 700, tokensSystem: 0, notices: [], incidents: [] };

async function refuse(refusal: Refusal, session = newId()): Promise<string> {
  const { id } = await accept(database, tenantId, { session });
  await finish(id, { outcome: 'refused', refusal, bestProven: undefined, receipt: undefined, ...FACTS });
  return id;
}

/** Refusals of ten passes for each session, written as the end of each pass writes them. */
async function refuseMany(passes: number): Promise<void> {
  const first = await claimed(database, (await accept(database, tenantId, { session: newId() })).id);
  await database.withTenant(
    tenantId,
    async (tx) => {
      const like = await tx.compaction.findUniqueOrThrow({
        where: { tenantId_id: { tenantId, id: first.fence.compactionId } },
      });
      let { sessionId } = like;
      for (let pass = 0; pass < passes; pass += 1) {
        const compactionId = newId();
        const seq = BigInt(100 + pass);
        if (pass % 10 === 0) {
          sessionId = newId();
          const { agentId } = like;
          await tx.session.create({ data: { tenantId, id: sessionId, agentId, externalId: sessionId } });
        }
        const { outcome: _, ...columns } = { ...like, request: null, notices: null, securedState: null };
        await tx.compaction.create({ data: { ...columns, id: compactionId, sessionId, seq } });
        const fence = { tenantId, sessionId, compactionId, epoch: 0n };
        await writeRefusal(tx, fence, unreachable('search_orders'), like.agentId, 'open');
      }
    },
    { timeoutMs: 50_000 },
  );
}

async function finish(id: string, outcome: Outcome): Promise<void> {
  const pass = await claimed(database, id);
  const request = { version: pass.version, agentId: pass.agentId };
  await createPassRepository(database).finish(pass.fence, { kind: 'outcome', outcome, times: {} }, request);
}

const signals = () =>
  database.withTenant(tenantId, (tx) => tx.alertSignal.findMany({ where: { tenantId }, orderBy: { id: 'asc' } }));

describe('refusals of one cause', () => {
  it('are one group with a count, and a signal each: 1,000 of them in 100 sessions', async () => {
    for (let time = 0; time < 10; time += 1) await refuseMany(100);
    expect(await groups()).toMatchObject([
      { count: 1_000, sessions: 100, code: 'BUDGET_UNREACHABLE', tools: ['search_orders'], status: 'open' },
    ]);
    const [group] = await groups();
    const owed = await signals();
    expect(owed).toHaveLength(1_000);
    expect(new Set(owed.map(({ subject }) => subject))).toEqual(new Set([group?.id]));
    expect(Math.max(...owed.map(({ detail }) => Number((detail as { count: number }).count)))).toBe(1_000);
    const members = await createRefusalRepository(database).listMembers(tenantId, group?.id ?? '', FIRST_PAGE);
    expect(members).toMatchObject({ items: { length: 200 }, next: expect.any(String) as unknown });
  });

  it('are told apart by code, tool and rule, and not by what the window says', async () => {
    await refuse(unreachable('search_orders'));
    await refuse(unreachable('get_order'));
    await refuse({ ...unreachable('get_order'), code: 'TARGET_UNREACHABLE' });
    await refuse(
      unreachable('get_order', { elements: [{ element_id: 'x', path: '/1', evidence: 'y', rule: 'human_text' }] }),
    );
    expect((await groups()).map(({ cause }) => cause).sort()).toEqual([
      'Less may leave than was asked for: no contract (get_order)',
      'What may not leave is larger than the budget: no contract (get_order)',
      'What may not leave is larger than the budget: no contract (search_orders)',
      'What may not leave is larger than the budget: rule human_text',
    ]);
  });

  it('wake somebody when the agent is stuck, and go on doing so', async () => {
    await refuse(unreachable('a', { headroom_tokens: 700 }));
    expect(await groups()).toMatchObject([{ severity: 'ticket', headroomTokens: 700 }]);
    await refuse(unreachable('a', { headroom_tokens: -5 }));
    expect(await groups()).toMatchObject([{ severity: 'page', headroomTokens: -5 }]);
    await refuse(unreachable('a', { headroom_tokens: 700 }));
    expect(await groups()).toMatchObject([{ severity: 'page', headroomTokens: 700, count: 3 }]);
    expect((await signals()).map(({ detail }) => (detail as { stuck: boolean }).stuck)).toEqual([false, true, false]);
  });

  it('open a group anew after the last one was closed', async () => {
    await refuse(unreachable('a'));
    const [first] = await groups();
    const by = { tenantId, actor: 'key', agentIds: undefined };
    const repository = createRefusalRepository(database);
    const dismissed = await repository.triage(by, first?.id ?? '', { kind: 'dismissed', reason: 'a test run' });
    expect(dismissed).toMatchObject({ kind: 'done', group: { status: 'dismissed' } });
    await refuse(unreachable('a'));
    expect((await groups()).map(({ status, count }) => `${status} ${count}`).sort()).toEqual(['dismissed 1', 'open 1']);
  });

  it('are none for an agent that only observes', async () => {
    const { id } = await accept(database, tenantId, { session: newId() });
    await finish(id, {
      ...{ outcome: 'unchanged', reason: 'observe', would: undefined, receipt: undefined, ...FACTS },
      wouldRefuse: unreachable('a'),
    });
    expect(await groups()).toEqual([]);
    expect(await signals()).toEqual([]);
  });
});

it('owes a signal of a pass that failed', async () => {
  const { id } = await accept(database, tenantId);
  const pass = await claimed(database, id);
  const request = { version: pass.version, agentId: pass.agentId };
  await createPassRepository(database).finish(pass.fence, { kind: 'failed', errorCode: 'STORE_CONFLICT' }, request);
  expect(await signals()).toMatchObject([
    { type: 'compaction.failed', subject: id, detail: { code: 'STORE_CONFLICT', compaction_id: id } },
  ]);
});
