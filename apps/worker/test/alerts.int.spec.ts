import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChannelConfiguration } from '@holdfast/alerting';
import { parseJson } from '@holdfast/core';
import { createChannelRepository, createEffectRepository, newId } from '@holdfast/persistence';
import { until } from '@holdfast/testkit';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { AGENT, type Platform, startPlatform } from './platform';
import { sampleWindow } from './sample-window';

const DEADLINE_MS = 60_000;
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const ENVIRONMENT = {
  ...{ ALERT_ALLOWED_CIDRS: '127.0.0.0/8', ALERT_ALLOWED_PORTS: 'any', DASHBOARD_URL: 'https://hold.example' },
  ...{ ALERT_ALLOW_HTTP: '1', ALERT_ALLOW_PLAIN_SMTP: '1' },
};

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let platform: Platform;
let url: string;
const received: Received[] = [];
/** What the receiver answers, by path; 202 to everything else. */
const answers = new Map<string, (response: ServerResponse) => void>();
const mails: string[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ path, headers, body: Buffer.concat(chunks).toString('utf8') });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(202).end('{}');
    else answer(response);
  });
});
const mail = new SMTPServer({
  ...{ disabledCommands: ['AUTH', 'STARTTLS'], logger: false },
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      mails.push(Buffer.concat(chunks).toString('utf8'));
      done();
    });
  },
});

beforeAll(async () => {
  platform = await startPlatform();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await platform.startWorker({ environment: ENVIRONMENT });
});
afterAll(async () => {
  await platform.close();
  server.closeAllConnections();
  server.close();
  mail.close(() => undefined);
});
beforeEach(() => {
  received.length = 0;
  mails.length = 0;
  answers.clear();
});

async function tenantWith(...channels: readonly ChannelConfiguration[]): Promise<string> {
  const tenantId = await platform.replicaTenant();
  const repository = createChannelRepository(platform.database);
  for (const channel of channels) {
    const name = `${channel.kind} ${newId()}`;
    const made = await repository.create({ tenantId, actor: 'test' }, name, channel);
    if (made.kind !== 'done') throw new Error(made.kind);
  }
  return tenantId;
}

const webhook = (path: string): ChannelConfiguration => ({
  ...{ kind: 'webhook', url: `${url}${path}`, signing_secret: SIGNING_SECRET },
});

/** As a transaction of a pass owes it. */
async function owe(tenantId: string, times: number, fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const detail = {
    code: 'BUDGET_UNREACHABLE',
    cause: 'no contract of get_order',
    tools: ['get_order'],
    severity: 'ticket',
  };
  const data = { tenantId, type: 'compaction.refused', agentId: 'bot', subject: newId() };
  await platform.database.withTenant(tenantId, (tx) =>
    tx.alertSignal.createMany({
      data: Array.from({ length: times }, () => ({ ...data, detail: { ...detail, ...fields } as never })),
    }),
  );
}

const untilReceived = (path: string, count = 1): Promise<readonly Received[]> =>
  until(
    () => {
      const found = received.filter((each) => each.path === path);
      return found.length >= count ? found : undefined;
    },
    {
      deadlineMs: DEADLINE_MS,
      describe: () => `${String(count)} at ${path}; got ${received.map((r) => r.path).join(' ')}`,
    },
  );

const instances = (tenantId: string) =>
  platform.database.withTenant(tenantId, (tx) => tx.alertInstance.findMany({ where: { tenantId } }));
const deliveries = (tenantId: string) =>
  platform.database.withTenant(tenantId, (tx) =>
    tx.alertDelivery.findMany({ where: { tenantId }, include: { tries: true }, orderBy: { id: 'asc' } }),
  );

async function untilDelivery(tenantId: string, state: string) {
  return until(async () => (await deliveries(tenantId)).find((each) => each.state === state), {
    deadlineMs: DEADLINE_MS,
    describe: () => `a delivery that is ${state}`,
  });
}

it('a refusal of a pass is told on every channel, with what to do and where to look, and no content', async () => {
  const tenantId = await tenantWith(
    webhook('/hook'),
    { kind: 'slack', url: `${url}/slack/T1/B1/secret` },
    { kind: 'pagerduty', routing_key: 'r'.repeat(32), events_url: `${url}/pagerduty` },
    { kind: 'alertmanager', url: `${url}/am` },
    {
      ...{ kind: 'email', host: '127.0.0.1', port: (mail.server.address() as AddressInfo).port, security: 'none' },
      ...{ from: 'holdfast@example.org', recipients: ['ops@example.org'] },
    },
  );
  const refused = await platform.accept(sampleWindow(8), { budgetTokens: 60, session: 'replica' }, tenantId);
  expect((await platform.untilFinished(refused.id, tenantId)).outcome).toBe('refused');

  const [hook] = await untilReceived('/hook');
  const [slack] = await untilReceived('/slack/T1/B1/secret');
  const [pager] = await untilReceived('/pagerduty');
  const [manager] = await untilReceived('/am/api/v2/alerts');
  await until(() => mails[0], { deadlineMs: DEADLINE_MS, describe: () => 'a mail' });

  const told = new Webhook(SIGNING_SECRET).verify(hook?.body ?? '', hook?.headers ?? {}) as {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
  expect(told.type).toBe('compaction.refused');
  expect(told.data).toMatchObject({ code: 'BUDGET_UNREACHABLE', occurrences: 1 });
  const [group] = await platform.database.withTenant(tenantId, (tx) =>
    tx.refusalGroup.findMany({ where: { tenantId } }),
  );
  for (const body of [hook?.body, slack?.body, pager?.body, manager?.body]) {
    expect(body).toContain(`https://hold.example/refusals/${group?.id ?? ''}`);
    expect(body).toContain('BUDGET_UNREACHABLE');
    expect(body).not.toContain('Never refund more than 500 EUR');
    expect(body).not.toContain('Article');
  }
  expect(mails[0]).toContain('ops@example.org');
  expect((await instances(tenantId)).map(({ state, count }) => [state, count])).toEqual([['firing', 1n]]);
});

it('a thousand refusals of one cause are one alert with a count, and one message', async () => {
  const tenantId = await tenantWith(webhook('/thousand'));
  await owe(tenantId, 1_000);
  await untilReceived('/thousand');
  const [alert] = await until(
    async () => {
      const found = await instances(tenantId);
      return found[0]?.count === 1_000n ? found : undefined;
    },
    { deadlineMs: DEADLINE_MS, describe: () => 'a count of 1,000' },
  );
  expect(alert?.state).toBe('firing');
  expect(await instances(tenantId)).toHaveLength(1);
  expect(received.filter(({ path }) => path === '/thousand')).toHaveLength(1);
});

it('what is over is told to whoever was told of it', async () => {
  const tenantId = await tenantWith(webhook('/over'));
  await owe(tenantId, 1);
  await untilReceived('/over');
  const { detail } = (await instances(tenantId))[0] ?? {};
  await platform.database.withTenant(tenantId, (tx) =>
    tx.alertSignal.create({
      data: { tenantId, type: 'compaction.refusal_resolved', agentId: 'bot', subject: 's', detail: detail as never },
    }),
  );
  const [, over] = await untilReceived('/over', 2);
  expect(over?.body).toContain('"action":"resolve"');
  expect((await instances(tenantId)).map(({ state }) => state)).toEqual(['resolved']);
});

it('what was over and came back at once is a new alert', async () => {
  const tenantId = await tenantWith(webhook('/again'));
  await owe(tenantId, 1);
  await untilReceived('/again');
  const { detail } = (await instances(tenantId))[0] ?? {};
  const data = { tenantId, agentId: 'bot', subject: 's', detail: detail as never };
  await platform.database.withTenant(tenantId, (tx) =>
    tx.alertSignal.createMany({
      data: [
        { ...data, type: 'compaction.refusal_resolved' },
        { ...data, type: 'compaction.refused' },
      ],
    }),
  );
  await untilReceived('/again', 3);
  expect((await instances(tenantId)).map(({ state }) => state).sort()).toEqual(['firing', 'resolved']);
});

it('a keyed write that nobody knows the end of wakes somebody, until somebody looked', async () => {
  const tenantId = await tenantWith(webhook('/unknown'));
  const effects = createEffectRepository(platform.database);
  const argumentsText = '{"order_id":"W1"}';
  const call = { tool: 'cancel_order', argumentsText, args: parseJson(argumentsText) };
  const claimed = await effects.claim(tenantId, {
    ...{ agentId: AGENT, session: 'replica', attemptId: 'a', leaseMs: 1, repeatLabel: '' },
    call: { ...call, idempotencyKey: undefined, target: undefined },
  });
  const [page] = await untilReceived('/unknown');
  expect(page?.body).toContain('"severity":"page"');
  expect(page?.body).toContain('effect.outcome_unknown');
  if (claimed?.kind !== 'answered') throw new Error('not answered');
  const said = {
    status: 'failed',
    statusRaw: undefined,
    evidence: 'no cancellation there',
    result: undefined,
  } as const;
  await effects.settle(tenantId, { effectId: claimed.effect?.id ?? '', attemptId: undefined, agentIds: [], ...said });
  const [, over] = await untilReceived('/unknown', 2);
  expect(over?.body).toContain('"action":"resolve"');
});

it('an alert that ends by being quiet does, and keeps its count until then', async () => {
  const tenantId = await tenantWith(webhook('/quiet'));
  await owe(tenantId, 3, { quiet: true });
  await untilReceived('/quiet');
  await platform.database.withTenant(
    tenantId,
    (tx) => tx.$executeRaw`
      update alert_rules set settings = settings || '{"keepFiringForMs": 0}'::jsonb, next_run_at = clock_timestamp()
      where tenant_id = ${tenantId}::uuid and name = 'Compaction refused'`,
  );
  await untilReceived('/quiet', 2);
  expect((await instances(tenantId)).map(({ state, count }) => [state, count])).toEqual([['resolved', 3n]]);
});

it('a silence holds messages back, and the alert goes on', async () => {
  const tenantId = await tenantWith(webhook('/silenced'));
  await platform.database.withTenant(tenantId, (tx) =>
    tx.alertSilence.create({
      data: {
        ...{ tenantId, id: newId(), comment: 'maintenance', author: 'test', startsAt: new Date(Date.now() - 1_000) },
        ...{ endsAt: new Date(Date.now() + 3_600_000), matchers: [{ label: 'agent', op: '=', value: 'bot' }] },
      },
    }),
  );
  await owe(tenantId, 3);
  await until(async () => (await instances(tenantId)).find(({ silencedBy }) => silencedBy !== null), {
    deadlineMs: DEADLINE_MS,
    describe: () => 'a silenced alert',
  });
  expect(received).toEqual([]);
  expect(await deliveries(tenantId)).toEqual([]);
});

it.each([
  ['500', (response: ServerResponse) => response.writeHead(500).end('broken'), 'HTTP_SERVER_ERROR'],
  ['429', (response: ServerResponse) => response.writeHead(429, { 'retry-after': '7' }).end(), 'HTTP_RATE_LIMITED'],
  ['a connection that breaks', (response: ServerResponse) => response.destroy(), 'CONNECTION_RESET'],
])('a receiver with %s gets the same message again later', async (name, answer, code) => {
  const path = `/${encodeURIComponent(name)}`;
  answers.set(path, answer);
  const tenantId = await tenantWith(webhook(path));
  await owe(tenantId, 1);
  await untilReceived(path);
  const delivery = await until(async () => (await deliveries(tenantId)).find(({ attempts }) => attempts === 1), {
    deadlineMs: DEADLINE_MS,
    describe: () => 'an attempt',
  });
  expect(delivery.state).toBe('pending');
  expect(delivery.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now());
  expect(delivery.tries.map(({ errorCode }) => errorCode)).toEqual([
    expect.stringMatching(new RegExp(`${code}|HTTP_`, 'u')),
  ]);
  answers.delete(path);
  await platform.database.withTenant(tenantId, async (tx) => {
    await tx.$executeRaw`update alert_channels set paused_until = null where tenant_id = ${tenantId}::uuid`;
    await tx.$executeRaw`update alert_deliveries set next_attempt_at = clock_timestamp() where tenant_id = ${tenantId}::uuid`;
  });
  const [first, second] = await untilReceived(path, 2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await untilDelivery(tenantId, 'delivered');
});

it('a receiver that is gone is not asked again, and the others hear of it', async () => {
  answers.set('/gone', (response) => response.writeHead(410).end());
  const tenantId = await tenantWith(webhook('/gone'), webhook('/other'));
  await owe(tenantId, 1);
  await untilDelivery(tenantId, 'failed_permanently');
  const heard = await untilReceived('/other', 2);
  expect(heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain('channel.disabled');
  const channels = await platform.database.withTenant(tenantId, (tx) =>
    tx.alertChannel.findMany({ where: { tenantId } }),
  );
  expect(channels.map(({ status }) => status).sort()).toEqual(['active', 'disabled']);
});

it.each([
  ['a redirect', '/redirect', 302],
  ['a loopback address that is not allowed', undefined, undefined],
])('%s is not followed, and says so', async (_, path, status) => {
  if (path !== undefined && status !== undefined)
    answers.set(path, (response) => response.writeHead(status, { location: 'http://169.254.169.254/' }).end());
  const tenantId = await tenantWith(
    path === undefined
      ? { kind: 'webhook', url: 'http://[::1]:9/hook', signing_secret: SIGNING_SECRET }
      : webhook(path),
  );
  await owe(tenantId, 1);
  const tried = await until(async () => (await deliveries(tenantId)).find(({ tries }) => tries.length === 1), {
    deadlineMs: DEADLINE_MS,
    describe: () => 'an attempt',
  });
  expect(tried.tries[0]).toMatchObject({ errorCode: expect.stringMatching(/REDIRECT|ADDRESS/u) as string });
  expect(tried.tries[0]?.detail).not.toBe('');
});

it('a channel whose secrets nobody can read any more gives its message up', async () => {
  const tenantId = await tenantWith(webhook('/unreadable'));
  await platform.database.withTenant(
    tenantId,
    (tx) => tx.$executeRaw`update alert_channels set secrets = '\\x00'::bytea where tenant_id = ${tenantId}::uuid`,
  );
  await owe(tenantId, 1);
  expect((await untilDelivery(tenantId, 'failed_permanently')).attempts).toBe(0);
  expect(received).toEqual([]);
});

it('a worker that is killed while it sends leaves the message to another, under the same id', async () => {
  const hung: ServerResponse[] = [];
  answers.set('/hang', (response) => void hung.push(response));
  const tenantId = await tenantWith(webhook('/hang'));
  await owe(tenantId, 1);
  const [first] = await untilReceived('/hang');
  await platform.stopWorkers();
  for (const response of hung) response.destroy();
  answers.delete('/hang');
  // Its lease would run out by itself in a minute.
  await platform.database.withTenant(
    tenantId,
    (tx) => tx.$executeRaw`
      update alert_deliveries set next_attempt_at = clock_timestamp(), claimed_until = null where tenant_id = ${tenantId}::uuid`,
  );
  await platform.startWorker({ environment: ENVIRONMENT });
  const [, second] = await untilReceived('/hang', 2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect((await untilDelivery(tenantId, 'delivered')).attempts).toBe(1);
});
