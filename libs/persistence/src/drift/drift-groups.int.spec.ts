import type { WindowIncident } from '@holdfast/core';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { claimedPass, seedAgent } from '../../test/sessions';
import { createDatabase, type Database } from '../database';
import { applyMigrations } from '../migrations/migrate';
import { packJson } from '../packed-json';
import { createPassRepository } from '../passes/pass-repository';
import { newId } from '../uuid';
import { createDriftGroupRepository, type DriftGroupChange } from './drift-group-repository';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  tenantId = await seedAgent(database);
});

const groups = () => createDriftGroupRepository(database);
const ALL = { state: undefined, agentIds: undefined, kind: undefined, severity: undefined, assignee: undefined };

const MUTATED: WindowIncident = {
  ...{ kind: 'record_mutated', severity: 'error', subject: 'R3', path: '/1/content', message: 'R3 came back edited' },
  expected: 'R3 request id: req_8f20aa17c2',
  observed: 'R3 request id: req_8f20aa17d2',
};

/** A pass that ends with these incidents, as a worker ends it. */
async function passWith(incidents: readonly WindowIncident[], session?: string): Promise<void> {
  const pass = await claimedPass(database, tenantId, session);
  await createPassRepository(database).finish(
    pass.fence,
    {
      kind: 'outcome',
      times: {},
      outcome: {
        ...{ outcome: 'unchanged', reason: 'aim_met', would: undefined, wouldRefuse: undefined, receipt: undefined },
        ...{ tokensBefore: 10, tokensSystem: 0, notices: [], incidents },
      },
    },
    { version: pass.version, agentId: pass.agentId },
  );
}

async function only() {
  const { items } = await groups().list(tenantId, ALL, { limit: 10, after: undefined });
  expect(items).toHaveLength(1);
  return items[0] ?? fail();
}

function fail(): never {
  throw new Error('no group');
}

async function signals(): Promise<readonly string[]> {
  const found = await owner.query<{ type: string }>('select type from alert_signals where tenant_id = $1 order by id', [
    tenantId,
  ]);
  return found.rows.map(({ type }) => type);
}

async function change(id: string, made: DriftGroupChange): Promise<void> {
  expect(await groups().change(tenantId, id, 'key:1', made)).not.toBeUndefined();
}

it('makes one group of what drifts alike, with counts, sessions and one signal', async () => {
  await passWith([MUTATED, { ...MUTATED, expected: 'R3 request id: req_1', observed: 'R3 request id: req_2' }], 'a');
  await passWith([MUTATED], 'a');
  await passWith([MUTATED], 'b');
  const group = await only();
  expect(group).toMatchObject({ state: 'new', count: 4, sessions: 2, severity: 'error', kind: 'record_mutated' });
  expect(group).toMatchObject({ fieldKind: 'identifier', place: 'record request id', assignee: undefined });
  expect(await signals()).toEqual(['drift.detected']);
  const { items } = await groups().listOccurrences(tenantId, group.id, { limit: 10, after: undefined });
  expect(items.map(({ expected }) => expected)).toHaveLength(4);
  expect(items[0]?.id).toBe(group.lastIncidentId);
});

it('signals a group of warnings only once it has an error', async () => {
  await passWith([{ ...MUTATED, severity: 'warning' }]);
  expect(await signals()).toEqual([]);
  await passWith([MUTATED]);
  expect(await signals()).toEqual(['drift.detected']);
  expect(await only()).toMatchObject({ severity: 'error', count: 2 });
});

it('brings a resolved group back as regressed, with a signal and a step', async () => {
  await passWith([MUTATED]);
  const { id } = await only();
  await change(id, { kind: 'resolved', comment: 'prompt mended' });
  expect((await only()).state).toBe('resolved');
  await passWith([MUTATED]);
  expect((await only()).state).toBe('regressed');
  expect(await signals()).toEqual(['drift.detected', 'drift.resolved', 'drift.regressed']);
  const found = await groups().find(tenantId, id);
  expect(found?.steps.map(({ kind, actor, comment }) => [kind, actor, comment])).toEqual([
    ['resolved', 'key:1', 'prompt mended'],
    ['regressed', 'system', undefined],
  ]);
});

it('keeps a group archived until its own condition is met', async () => {
  await passWith([MUTATED]);
  const { id } = await only();
  await change(id, { kind: 'archived', until: { kind: 'occurrences', count: 2 } });
  await passWith([MUTATED]);
  expect(await only()).toMatchObject({ state: 'archived', archivedUntil: { kind: 'count', count: 3 } });
  await passWith([MUTATED]);
  expect((await only()).state).toBe('ongoing');
  await change(id, { kind: 'archived', until: { kind: 'time', at: new Date(Date.now() + 3_600_000) } });
  await passWith([MUTATED]);
  expect((await only()).state).toBe('archived');
  await owner.query(`update drift_groups set archived_until = now() - interval '1 s' where id = $1`, [id]);
  expect((await only()).state).toBe('ongoing');
  await change(id, { kind: 'archived', until: { kind: 'escalates' } });
  await passWith([MUTATED]);
  expect((await only()).state).toBe('archived');
});

it('escalates a group that comes at four times the rate of its past, and calms down after a quiet day', async () => {
  await passWith([MUTATED]);
  const { id } = await only();
  await owner.query(`update drift_groups set first_seen_at = now() - interval '100 hours' where id = $1`, [id]);
  for (let n = 0; n < 8; n += 1) await passWith([MUTATED]);
  expect((await only()).state).toBe('new');
  await passWith([MUTATED]);
  expect(await only()).toMatchObject({ state: 'escalating', count: 10 });
  await passWith([MUTATED]);
  expect(await signals()).toEqual(['drift.detected', 'drift.escalated']);
  await owner.query(`update drift_groups set last_seen_at = now() - interval '1 day' where id = $1`, [id]);
  expect((await only()).state).toBe('ongoing');
});

it('counts what passes of many sessions find at the same time, each once', async () => {
  const plan = { ...MUTATED, kind: 'plan_step_lost', subject: 'e9', expected: 'step 6 of 9', observed: null } as const;
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => passWith(n % 2 === 0 ? [MUTATED, plan] : [plan, MUTATED], `session-${n}`)),
  );
  const { items } = await groups().list(tenantId, ALL, { limit: 10, after: undefined });
  expect(items.map(({ count, sessions }) => [count, sessions])).toEqual([
    [12, 12],
    [12, 12],
  ]);
  expect(await signals()).toEqual(['drift.detected', 'drift.detected']);
});

it('pages by last seen, filters, and counts what each filter would leave', async () => {
  for (let n = 0; n < 5; n += 1) {
    await passWith([{ ...MUTATED, expected: `R3 ${'abcde'.charAt(n)} id: req_1a2b`, observed: 'R3 x id: req_1a2c' }]);
  }
  await passWith([{ ...MUTATED, severity: 'warning', kind: 'invented_value', expected: null }]);
  const first = await groups().list(tenantId, ALL, { limit: 4, after: undefined });
  const second = await groups().list(tenantId, ALL, { limit: 4, after: first.next });
  expect(second.next).toBeUndefined();
  const all = [...first.items, ...second.items];
  expect(new Set(all.map(({ id }) => id)).size).toBe(6);
  const seen = all.map(({ lastSeenAt }) => lastSeenAt);
  expect(seen).toEqual([...seen].sort().reverse());

  const warnings = { ...ALL, severity: 'warning' as const };
  expect((await groups().list(tenantId, warnings, { limit: 9, after: undefined })).items).toHaveLength(1);
  await change(all[0]?.id ?? '', { kind: 'assigned', assignee: 'ada' });
  const hers = await groups().list(tenantId, { ...ALL, assignee: 'ada' }, { limit: 9, after: undefined });
  expect(hers.items.map(({ id }) => id)).toEqual([all[0]?.id]);
  expect(await groups().facets(tenantId, ALL)).toEqual({
    state: [{ value: 'new', count: 6 }],
    agent: [{ value: 'billing-bot', count: 6 }],
    kind: [
      { value: 'record_mutated', count: 5 },
      { value: 'invented_value', count: 1 },
    ],
    severity: [
      { value: 'error', count: 5 },
      { value: 'warning', count: 1 },
    ],
    assignee: [
      { value: '', count: 5 },
      { value: 'ada', count: 1 },
    ],
  });
  // Each facet ignores its own filter: what else could be chosen.
  expect(await groups().facets(tenantId, warnings)).toMatchObject({
    severity: [{ count: 5 }, { count: 1 }],
    kind: [{ value: 'invented_value', count: 1 }],
  });
});

it('belongs to its tenant alone', async () => {
  await passWith([MUTATED]);
  const { id } = await only();
  const stranger = await seedAgent(database);
  expect(await groups().find(stranger, id)).toBeUndefined();
  expect(await groups().change(stranger, id, 'key:2', { kind: 'resolved' })).toBeUndefined();
  expect((await groups().list(stranger, ALL, { limit: 10, after: undefined })).items).toEqual([]);
});

it('does not escalate a group whose past was as busy', async () => {
  await passWith([MUTATED]);
  const { id } = await only();
  const place = await packJson({ subject: 'R3', path: '', message: '' });
  const ids = Array.from({ length: 300 }, () => newId());
  await owner.query(
    `insert into drift_incidents (tenant_id, id, agent_id, group_id, kind, severity, place, occurred_at)
     select $1, i, 'billing-bot', $2, 'record_mutated', 'error', $4, now() - interval '50 hours' from unnest($3::uuid[]) i`,
    [tenantId, id, ids, place],
  );
  await owner.query(`update drift_groups set count = 301, first_seen_at = now() - interval '100 hours' where id = $1`, [
    id,
  ]);
  await passWith([MUTATED]);
  expect(await only()).toMatchObject({ state: 'new', count: 302 });
});
