import {
  compactionSchema,
  driftDownstreamSchema,
  driftGroupDetailSchema,
  driftGroupListSchema,
  driftGroupSchema,
  driftIncidentPageSchema,
} from '@holdfast/contracts';
import type { z } from 'zod';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

interface Message {
  readonly role: string;
  readonly content: unknown;
}

let under: ApiUnderTest;
/** The window that the pass of the edited one handed out. */
let healed: readonly Message[];
let editedPass: string;

async function compacted(session: string, window: string, budget: number): Promise<z.infer<typeof compactionSchema>> {
  const body = `{"agent":"bot","session":"${session}","budget_tokens":${String(budget)},"window":${window}}`;
  const accepted = read(
    await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
    compactionSchema,
    202,
  );
  await runPass(under.database, accepted.id);
  const path = `/v1/compactions/${accepted.id}?include=window`;
  return read(await send(under.url, 'GET', path, { key: under.acme.key }), compactionSchema);
}

async function groups(query = '', key = under.acme.key) {
  return read(await send(under.url, 'GET', `/v1/drift-groups${query}`, { key }), driftGroupListSchema);
}

async function effectGroup() {
  const { items } = await groups('?kind=effect_status_changed');
  expect(items).toHaveLength(1);
  return items[0]?.id ?? '';
}

async function act(id: string, name: string, body: unknown, key = under.acme.key) {
  return send(under.url, 'POST', `/v1/drift-groups/${id}/${name}`, { key, body: JSON.stringify(body) });
}

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  const first = await compacted('edited', orderWindow(30), 4_000);
  const messages = first.window as readonly Message[];
  // Somebody else's compactor passes the ledger line on with another order.
  const edited = messages.map((message) =>
    typeof message.content === 'string' && message.content.includes('E1 cancel_order')
      ? { ...message, content: message.content.replaceAll('W1003', 'W1008') }
      : message,
  );
  expect(edited).not.toEqual(messages);
  const second = await compacted('edited', JSON.stringify(edited), 4_200);
  editedPass = second.id;
  healed = second.window as readonly Message[];
});

afterAll(() => under.close());

it('lists what drifted as groups, with counts for each filter', async () => {
  const { items, facets } = await groups('?agent=bot');
  const group = items.find(({ kind }) => kind === 'effect_status_changed');
  expect(group).toMatchObject({
    agent: 'bot',
    title: 'effect status changed in effect cancel_order',
    ...{ field_kind: 'effect', place: 'effect cancel_order', severity: 'error', state: 'new', count: 1, sessions: 1 },
  });
  expect(facets.kind).toContainEqual({ value: 'effect_status_changed', count: 1 });
  expect((await groups('?state=resolved')).items).toEqual([]);
  expect((await groups('', under.globex.key)).items).toEqual([]);
});

it('shows the exact bytes, where they differ, and the pass where it first appeared', async () => {
  const id = await effectGroup();
  const detail = read(
    await send(under.url, 'GET', `/v1/drift-groups/${id}`, { key: under.acme.key }),
    driftGroupDetailSchema,
  );
  expect(detail.first).toMatchObject({ compaction_id: editedPass });
  const { expected, observed } = detail.newest ?? {};
  expect(expected?.text).toContain('W1003');
  const differing = (side: typeof expected): string =>
    Buffer.from(side?.base64 ?? '', 'base64')
      .subarray(side?.differs.start, side?.differs.end)
      .toString('utf8');
  expect([differing(expected), differing(observed)]).toEqual(['3', '8']);
  expect(detail.grouping.of).toMatchObject({ agent: 'bot', kind: 'effect_status_changed' });
  expect(detail.seen_in.map(({ session, count }) => [session, count])).toEqual([['edited', 1]]);
  expect(detail.occurrences.items.map(({ id: occurrence }) => occurrence)).toEqual([detail.newest?.incident.id]);
  const page = await send(under.url, 'GET', `/v1/drift-groups/${id}/occurrences?limit=1`, { key: under.acme.key });
  expect(read(page, driftIncidentPageSchema).items).toEqual(detail.occurrences.items);
});

it('finds the calls and effects that carried the corrupted value on', async () => {
  const id = await effectGroup();
  const path = `/v1/drift-groups/${id}/downstream`;
  const before = read(await send(under.url, 'GET', path, { key: under.acme.key }), driftDownstreamSchema);
  expect(before).toMatchObject({ values: ['W1008'], calls: [], effects: [] });
  const call = (name: string, order: string, callId: string): unknown => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: callId, type: 'function', function: { name, arguments: JSON.stringify({ order_id: order }) } }],
  });
  const more = [
    ...healed,
    call('cancel_order', 'W1008', 'd1'),
    { role: 'tool', tool_call_id: 'd1', content: '{"status":"cancelled"}' },
    call('get_order', 'W1001', 'd2'),
    { role: 'tool', tool_call_id: 'd2', content: '{"order_id":"W1001"}' },
    { role: 'user', content: 'And now?' },
  ];
  await compacted('edited', JSON.stringify(more), 4_400);
  const after = read(await send(under.url, 'GET', path, { key: under.acme.key }), driftDownstreamSchema);
  expect(after.calls).toEqual([
    { window_id: expect.any(String) as string, tool: 'cancel_order', path: '/order_id', value: 'W1008' },
  ]);
  expect(after.effects).toEqual([
    expect.objectContaining({ action: 'cancel_order', in: 'target', value: 'W1008' }) as unknown,
  ]);
  expect(after.windows).toEqual({ searched: 1, left_out: 0 });
});

it('is worked on: assigned, commented, archived, reopened, resolved, each step in history and audit log', async () => {
  const id = await effectGroup();
  const state = async (name: string, body: unknown) => read(await act(id, name, body), driftGroupSchema);
  expect(await state('assign', { assignee: 'ada' })).toMatchObject({ assignee: 'ada' });
  expect((await groups('?assignee=ada')).items).toHaveLength(1);
  await state('comment', { comment: 'the proxy compacts, too' });
  const archived = await state('archive', { until: { kind: 'occurrences', count: 3 } });
  expect(archived).toMatchObject({ state: 'archived', archived_until: { until: 'count', count: archived.count + 3 } });
  expect(await state('reopen', {})).toMatchObject({ state: 'ongoing', archived_until: null });
  expect(await state('resolve', { comment: 'proxy off' })).toMatchObject({ state: 'resolved' });
  const path = `/v1/drift-groups/${id}`;
  const { steps } = read(await send(under.url, 'GET', path, { key: under.acme.key }), driftGroupDetailSchema);
  const kinds = ['assigned', 'commented', 'archived', 'reopened', 'resolved'];
  expect(steps.map(({ kind }) => kind)).toEqual(kinds);
  const audited = await under.database.withTenant(under.acme.tenantId, (tx) =>
    tx.auditLog.findMany({ where: { tenantId: under.acme.tenantId, subject: id }, orderBy: { id: 'asc' } }),
  );
  expect(audited.map(({ action }) => action)).toEqual(kinds.map((kind) => `drift-group.${kind}`));
  expect(JSON.stringify(audited.map(({ detail }) => detail))).not.toContain('proxy');
});

it('asks for its scopes, its agents and a proper condition', async () => {
  const id = await effectGroup();
  const reader = await under.keyWith(under.acme, ['drift:read']);
  expect(shortProblem(await act(id, 'resolve', {}, reader))).toBe('403 SCOPE_MISSING');
  const other = await under.keyWith(under.acme, ['drift:read', 'drift:triage'], ['other-bot']);
  expect(shortProblem(await act(id, 'resolve', {}, other))).toBe('404 DRIFT_GROUP_UNKNOWN');
  expect((await groups('', other)).items).toEqual([]);
  expect(shortProblem(await act(id, 'resolve', {}, under.globex.key))).toBe('404 DRIFT_GROUP_UNKNOWN');
  expect((await act(id, 'archive', { until: { kind: 'occurrences', count: 0 } })).status).toBe(422);
  expect(shortProblem(await send(under.url, 'GET', '/v1/drift-groups/nothing', { key: under.acme.key }))).toBe(
    '404 DRIFT_GROUP_UNKNOWN',
  );
});
