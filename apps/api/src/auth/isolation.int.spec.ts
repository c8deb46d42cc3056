import { compactionSchema, createdKeySchema, ROUTES, type Route, windowPageSchema } from '@holdfast/contracts';
import { newId } from '@holdfast/persistence';
import { type Answer, problemIn, read, send } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

/** Stands in whatever the other tenant stores. */
const THEIRS = 'of-globex-alone';

let under: ApiUnderTest;
/** Ids of the other tenant, by the path that they stand in. */
let theirs: Readonly<Record<string, string>>;
/** Ids that nobody has. */
const NOBODYS: Readonly<Record<string, string>> = {
  id: newId(),
  agent: 'nobody',
  session: 'nobody',
  window: newId(),
  key: 'AAAAAAAAAAAA',
  handle: 'h_nobody000',
};

/** Paths whose parameter is no id of anything stored, or where the caller gives the name. */
const NO_IDS = new Set(['get /v1/stats/{series}', 'put /v1/agents/{agent}']);

const withIds = ROUTES.filter(({ method, path }) => path.includes('{') && !NO_IDS.has(`${method} ${path}`));

/** Bodies that are right, so that what is answered is about the id. */
const BODIES: Readonly<Record<string, unknown>> = {
  settleEffect: { attempt_id: 'a', status: 'succeeded' },
  reconcileEffect: { status: 'succeeded', evidence: 'seen' },
  previewResolution: { kind: 'externalize_element', session: 's', element_id: 'e1', reason: 'r' },
  resolveRefusal: { kind: 'externalize_element', session: 's', element_id: 'e1', reason: 'r' },
  assignRefusal: { assignee: 'me' },
  commentRefusal: { comment: 'c' },
  dismissRefusal: { reason: 'r' },
  putAlertChannel: { name: 'mine', configuration: { kind: 'slack', url: 'https://hooks.example/x' } },
  replayAlertChannel: { since: '2026-01-01T00:00:00Z' },
  putAlertRule: {
    name: 'mine',
    severity: 'ticket',
    condition: { kind: 'event', event_types: ['compaction.refused'] },
  },
  archiveDriftGroup: { until: { kind: 'escalates' } },
  assignDriftGroup: { assignee: 'me' },
  commentDriftGroup: { comment: 'c' },
};

beforeAll(async () => {
  under = await startApiUnderTest();
  theirs = await storeForGlobex();
  // Names are not secret: the caller may have an agent and a session of the same ones.
  await compacted(under.acme.key, 'bot', 's');
});

afterAll(() => under.close());

async function compacted(key: string, agent: string, session: string): Promise<string> {
  const policy = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  await send(under.url, 'PUT', `/v1/agents/${agent}`, { key, body: policy });
  const body = `{"agent":"${agent}","session":"${session}","budget_tokens":4000,"window":${orderWindow(30)}}`;
  const { id } = read(await send(under.url, 'POST', '/v1/compactions', { key, body }), compactionSchema, 202);
  await runPass(under.database, id);
  return id;
}

async function storeForGlobex(): Promise<Readonly<Record<string, string>>> {
  const { key, tenantId } = under.globex;
  const compaction = await compacted(key, 'bot', 's');
  await compacted(key, THEIRS, THEIRS);
  const output = await send(under.url, 'GET', `/v1/compactions/${compaction}/window`, { key });
  const windows = await send(under.url, 'GET', '/v1/agents/bot/sessions/s/windows', { key });
  const body = JSON.stringify({ scopes: ['agents:read'] });
  const made = read(await send(under.url, 'POST', '/v1/keys', { key, body }), createdKeySchema, 201);
  const ids = { refusal: newId(), drift: newId(), channel: newId(), rule: newId(), instance: newId() };
  const more = { delivery: newId(), silence: newId() };
  const bytes = new Uint8Array([0, 0x7b, 0x7d]);
  const effect = await under.database.withTenant(tenantId, async (tx) => {
    await tx.refusalGroup.create({
      data: {
        ...{ tenantId, id: ids.refusal, agentId: 'bot', code: 'AMBIGUOUS_ELEMENT', fingerprint: THEIRS },
        ...{ cause: THEIRS, repairs: bytes },
      },
    });
    await tx.driftGroup.create({
      data: {
        ...{ tenantId, id: ids.drift, agentId: 'bot', fingerprint: THEIRS, groupingVersion: 1 },
        ...{ kind: 'record_missing', fieldKind: 'record', place: THEIRS, severity: 'error' },
      },
    });
    await tx.alertChannel.create({
      data: { tenantId, id: ids.channel, name: THEIRS, kind: 'webhook', settings: {}, secrets: bytes },
    });
    await tx.alertRule.create({
      data: { tenantId, id: ids.rule, name: THEIRS, kind: 'event', tier: 'ticket', settings: {}, notify: {} },
    });
    await tx.alertInstance.create({
      data: {
        ...{ tenantId, id: ids.instance, ruleId: ids.rule, fingerprint: THEIRS, labels: {}, tier: 'ticket' },
        state: 'firing',
      },
    });
    await tx.alertDelivery.create({
      data: {
        ...{ tenantId, id: more.delivery, instanceId: ids.instance, channelId: ids.channel, action: 'trigger' },
        notification: bytes,
      },
    });
    const endsAt = new Date(Date.now() + 3_600_000);
    await tx.alertSilence.create({
      data: { tenantId, id: more.silence, matchers: [], startsAt: new Date(), endsAt, comment: THEIRS, author: 'k' },
    });
    return tx.effect.findFirstOrThrow({ where: { tenantId } });
  });
  return {
    '/v1/compactions/{id}': compaction,
    '/v1/effects/{id}': effect.id,
    '/v1/refusals/{id}': ids.refusal,
    '/v1/drift-groups/{id}': ids.drift,
    '/v1/alerts/channels/{id}': ids.channel,
    '/v1/alerts/rules/{id}': ids.rule,
    '/v1/alerts/instances/{id}': ids.instance,
    '/v1/alerts/deliveries/{id}': more.delivery,
    '/v1/alerts/silences/{id}': more.silence,
    '/v1/agents/{agent}': THEIRS,
    '/v1/agents/{agent}/sessions/{session}': THEIRS,
    '/v1/agents/{agent}/sessions/{session}/windows/{window}': read(windows, windowPageSchema).items[0]?.id ?? '',
    '/v1/keys/{key}': made.key_id,
    '/v1/recall/{handle}': /recall (h_[0-9a-z]+)/u.exec(output.text)?.[1] ?? '',
  };
}

/** The path with these ids. What stands in front of a window is shared by name with the caller's own session. */
function pathWith(route: Route, idOf: (prefix: string, name: string) => string): string {
  const isWithin = route.path.includes('{window}');
  let prefix = '';
  const parts = route.path.split('/').map((part) => {
    prefix = part === '' ? prefix : `${prefix}/${part}`;
    const name = /^\{(.+)\}$/u.exec(part)?.[1];
    if (name === undefined) return part;
    if (isWithin && name !== 'window') return name === 'agent' ? 'bot' : 's';
    return idOf(prefix, name);
  });
  return `${parts.join('/')}${route.operation === 'recall' ? '?agent=bot&session=s' : ''}`;
}

function call(route: Route, path: string, key: string): Promise<Answer> {
  const body = route.body === undefined ? {} : { body: JSON.stringify(BODIES[route.operation] ?? {}) };
  return send(under.url, route.method.toUpperCase(), path, { key, ...body });
}

function theirId(prefix: string): string {
  const id = theirs[prefix];
  if (id === undefined || id === '')
    throw new Error(`this spec stores nothing for ${prefix}: add it to storeForGlobex`);
  return id;
}

async function rowsOfGlobex(): Promise<string> {
  return under.database.withTenant(under.globex.tenantId, async (tx) => {
    const rows = [
      await tx.refusalGroup.findMany(),
      await tx.driftGroup.findMany(),
      await tx.alertChannel.findMany(),
      await tx.alertRule.findMany(),
      await tx.alertInstance.findMany({ omit: { nextNotifyAt: true } }),
      await tx.alertSilence.findMany(),
      await tx.effect.findMany(),
      await tx.compaction.findMany(),
      await tx.apiKey.findMany({ omit: { lastUsedAt: true } }),
    ];
    return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  });
}

it('there are routes with ids, and the other tenant has what they ask for', async () => {
  expect(withIds.length).toBeGreaterThan(30);
  for (const route of withIds.filter(({ method, path }) => method === 'get' && !path.endsWith('/events'))) {
    const answer = await call(route, pathWith(route, theirId), under.globex.key);
    const isThere =
      answer.status !== 404 || ['RECEIPT_UNKNOWN', 'EFFECT_RESULT_UNKNOWN'].includes(problemIn(answer).code);
    if (!isThere && !/\/(result)$/u.test(route.path)) throw new Error(`${route.path}: ${answer.text}`);
  }
});

it.each(withIds.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s answers another tenant's id like one that nobody has",
  async (_, route) => {
    const before = await rowsOfGlobex();
    const path = pathWith(route, theirId);
    const answer = await call(route, path, under.acme.key);
    const nobodys = await call(
      route,
      pathWith(route, (__, name) => NOBODYS[name] ?? ''),
      under.acme.key,
    );
    expect(`${answer.status} ${problemIn(answer).code}`).toBe(`${nobodys.status} ${problemIn(nobodys).code}`);
    expect(answer.status).toBe(404);
    // A problem names the path that was asked for.
    expect(answer.text.replaceAll(path, '')).not.toContain(THEIRS);
    expect(await rowsOfGlobex()).toBe(before);
  },
);

it.each(ROUTES.filter(({ method, path, access }) => method === 'get' && !path.includes('{') && access !== 'public'))(
  'GET $path lists nothing of another tenant',
  async (route) => {
    const answer = await call(route, route.path, under.acme.key);
    expect(answer.text).not.toContain(THEIRS);
    expect(answer.text).not.toContain(under.globex.tenantId);
  },
);
