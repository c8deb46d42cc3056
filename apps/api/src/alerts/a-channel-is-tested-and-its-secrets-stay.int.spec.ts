import {
  channelPageSchema,
  channelSchema,
  channelWithSecretSchema,
  deliveryDetailSchema,
  deliveryPageSchema,
  testedChannelSchema,
} from '@holdfast/contracts';
import { Webhook } from 'standardwebhooks';
import {
  type HttpReceiver,
  type MailReceiver,
  OUTBOUND_TO_LOOPBACK,
  startHttpReceiver,
  startMailReceiver,
} from '../../test/alert-receivers';
import { type Answer, read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

const PASSWORD = 'mail-pa55word-9';
const ROUTING_KEY = 'routing-key-0123456789abcdef';
const BEARER = 'bearer-token-of-alertmanager-7';
const PATH_TOKEN = 'token-in-the-path-of-the-hook';

let under: ApiUnderTest;
let http: HttpReceiver;
let mail: MailReceiver;
const answers: string[] = [];

beforeAll(async () => {
  [under, http, mail] = await Promise.all([
    startApiUnderTest({ outbound: OUTBOUND_TO_LOOPBACK }),
    startHttpReceiver(),
    startMailReceiver(PASSWORD),
  ]);
});

beforeEach(() => {
  http.answerWith(200, 'ok');
  http.received.length = 0;
});

afterAll(async () => {
  await Promise.all([under.close(), http.close(), mail.close()]);
});

async function request(method: string, path: string, body?: unknown, key = under.acme.key): Promise<Answer> {
  const answer = await send(under.url, method, `/v1/alerts/channels${path}`, {
    key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  answers.push(answer.text);
  return answer;
}

const create = async (name: string, configuration: unknown) =>
  read(await request('POST', '', { name, configuration }), channelWithSecretSchema, 201);
const test = async (id: string) => read(await request('POST', `/${id}/test`), testedChannelSchema);
const webhook = (over = {}) => ({ kind: 'webhook', url: `${http.url}/hook/${PATH_TOKEN}`, ...over });
const slack = () => ({ kind: 'slack', url: `${http.url}/services/${PATH_TOKEN}` });
const email = (over = {}) => ({
  ...{ kind: 'email', host: '127.0.0.1', port: mail.port, security: 'none', from: 'holdfast@acme.example' },
  ...{ recipients: ['oncall@acme.example'], ...over },
});

function verified(secret: string): unknown {
  const { body, headers } = http.received.at(-1) ?? { body: '', headers: {} };
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function storedRows(): Promise<string> {
  const rows = await under.database.withTenant(
    under.acme.tenantId,
    (tx) => tx.$queryRaw<{ row: string }[]>`
    select c::text || encode(secrets, 'escape') as row from alert_channels c
    union all select a::text from audit_log a
    union all select d::text || encode(notification, 'escape') from alert_deliveries d
    union all select t::text || coalesce(encode(response, 'escape'), '') from alert_attempts t`,
  );
  return rows.map(({ row }) => row).join('\n');
}

describe('a webhook', () => {
  it('is given a signing secret, shown once, that its receiver verifies messages with', async () => {
    const { id, signing_secret: secret, ...shown } = await create('webhook', webhook());
    expect(shown).toMatchObject({ kind: 'webhook', receiver: http.url, configuration: {}, status: 'active' });
    const { attempt, delivery } = await test(id);
    expect(attempt).toMatchObject({ outcome: 'delivered', status_code: 200, response: 'ok', error_code: null });
    expect(delivery).toMatchObject({ action: 'test', state: 'delivered', alert_id: null, attempts: 1 });
    expect(verified(secret ?? '')).toMatchObject({ type: 'channel.test', data: { severity: 'count' } });
    expect(read(await request('GET', `/${id}`), channelSchema)).not.toHaveProperty('signing_secret');
  });

  it('signs with both secrets after a rotation', async () => {
    const { id, signing_secret: old } = await create('rotated', webhook());
    const rotated = read(await request('POST', `/${id}/rotate-secret`, {}), channelWithSecretSchema);
    expect(rotated.signing_secret).not.toBe(old);
    expect(rotated.configuration).toHaveProperty('previous_secret_until');
    await test(id);
    for (const secret of [old, rotated.signing_secret]) {
      expect(verified(secret ?? '')).toMatchObject({ type: 'channel.test' });
    }
    expect(() => verified(`whsec_${Buffer.alloc(32, 9).toString('base64')}`)).toThrow();
  });

  it('takes a secret that its receiver has already, and no other text', async () => {
    const own = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
    const { id } = await create('own secret', webhook({ signing_secret: own }));
    await test(id);
    expect(verified(own)).toBeDefined();
    const short = { name: 'short', configuration: webhook({ signing_secret: 'whsec_c2hvcnQ=' }) };
    expect(shortProblem(await request('POST', '', short))).toBe('422 FIELD_INVALID /configuration/signing_secret');
    expect(shortProblem(await request('POST', `/${id}/rotate-secret`, { signing_secret: 'x' }))).toBe(
      '422 FIELD_INVALID /signing_secret',
    );
  });

  it('that fails says how, inline and in the log of deliveries', async () => {
    const { id } = await create('failing', webhook());
    http.answerWith(500, `oops, ${PATH_TOKEN} is broken`);
    const { attempt, delivery } = await test(id);
    expect(attempt).toMatchObject({ outcome: 'retry', status_code: 500, error_code: 'HTTP_SERVER_ERROR' });
    expect(attempt.response).toContain('oops');
    expect(attempt.response).not.toContain(PATH_TOKEN);
    const one = await send(under.url, 'GET', `/v1/alerts/deliveries/${delivery.id}`, { key: under.acme.key });
    expect(read(one, deliveryDetailSchema)).toMatchObject({
      state: 'failed_permanently',
      message: { type: 'channel.test' },
      tries: [{ no: 1, status_code: 500 }],
    });
    const list = await send(under.url, 'GET', `/v1/alerts/deliveries?channel=${id}`, { key: under.acme.key });
    expect(read(list, deliveryPageSchema).items.map((item) => item.id)).toEqual([delivery.id]);
  });
});

describe('channels of other kinds', () => {
  it('Slack gets its blocks', async () => {
    const { id, signing_secret: secret } = await create('slack', slack());
    expect(secret).toBeNull();
    expect((await test(id)).attempt.outcome).toBe('delivered');
    expect(http.received).toMatchObject([{ path: `/services/${PATH_TOKEN}` }]);
    expect(JSON.parse(http.received[0]?.body ?? '')).toMatchObject({
      text: expect.stringContaining('Test') as unknown,
    });
    expect(shortProblem(await request('POST', `/${id}/rotate-secret`, {}))).toBe('409 CHANNEL_NOT_SIGNED');
  });

  it('PagerDuty gets an event with the routing key', async () => {
    const { id } = await create('pagerduty', {
      ...{ kind: 'pagerduty', routing_key: ROUTING_KEY, events_url: `${http.url}/v2/enqueue` },
    });
    expect((await test(id)).attempt.outcome).toBe('delivered');
    expect(JSON.parse(http.received[0]?.body ?? '')).toMatchObject({
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
    });
  });

  it('Alertmanager gets an alert with the bearer token', async () => {
    const { id } = await create('alertmanager', { kind: 'alertmanager', url: http.url, bearer_token: BEARER });
    expect((await test(id)).attempt.outcome).toBe('delivered');
    expect(http.received).toMatchObject([{ path: '/api/v2/alerts', headers: { authorization: `Bearer ${BEARER}` } }]);
  });

  it('a mailbox gets a mail after a login', async () => {
    const { id, configuration } = await create('email', email({ user_name: 'oncall', password: PASSWORD }));
    expect(configuration).toMatchObject({ host: '127.0.0.1', user_name: 'oncall' });
    expect(configuration).not.toHaveProperty('password');
    expect((await test(id)).attempt.outcome).toBe('delivered');
    expect(mail.mails.at(-1)).toContain('Test of this channel');
  });
});

describe('a channel that is replaced', () => {
  it('keeps the secrets that are left out', async () => {
    const { id, signing_secret: secret } = await create('kept', webhook());
    const body = { name: 'renamed', configuration: { kind: 'webhook' } };
    expect(read(await request('PUT', `/${id}`, body), channelSchema)).toMatchObject({ name: 'renamed' });
    await test(id);
    expect(verified(secret ?? '')).toBeDefined();
  });

  it('is disabled, sends no replay, and is enabled again', async () => {
    const { id } = await create('paused', webhook());
    const put = (enabled: boolean) =>
      request('PUT', `/${id}`, { name: 'paused', enabled, configuration: { kind: 'webhook' } });
    expect(read(await put(false), channelSchema).status).toBe('disabled');
    const since = { since: new Date(0).toISOString() };
    expect(shortProblem(await request('POST', `/${id}/replay`, since))).toBe('409 CHANNEL_DISABLED');
    expect(read(await put(true), channelSchema)).toMatchObject({ status: 'active', disabled_reason: null });
  });

  it('sends no password to a receiver that it was not entered for', async () => {
    const { id } = await create('moved', email({ user_name: 'oncall', password: PASSWORD }));
    const moved = { name: 'moved', configuration: email({ port: mail.port + 1, user_name: 'oncall' }) };
    expect(shortProblem(await request('PUT', `/${id}`, moved))).toBe('422 FIELD_MISSING /configuration/password');
    const anonymous = { name: 'moved', configuration: email() };
    expect(read(await request('PUT', `/${id}`, anonymous), channelSchema).configuration).not.toHaveProperty(
      'user_name',
    );
  });

  it('stays of its kind and has a name of its own', async () => {
    const { id } = await create('kind', webhook());
    expect(shortProblem(await request('PUT', `/${id}`, { name: 'kind', configuration: slack() }))).toBe(
      '422 FIELD_INVALID /configuration/kind',
    );
    expect(shortProblem(await request('POST', '', { name: 'kind', configuration: webhook() }))).toBe('409 NAME_TAKEN');
  });
});

describe('an address that nobody may reach', () => {
  const refused = async (configuration: unknown): Promise<string> =>
    shortProblem(await request('POST', '', { name: 'inner', configuration }));

  it.each([
    ['a private network', 'http://10.0.0.7/hook'],
    ['metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['loopback in other words', 'http://2130706434/hook'],
    ['loopback of IPv6', 'http://[::1]:9093/hook'],
    ['IPv4 in IPv6', 'http://[::ffff:10.0.0.7]/hook'],
  ])('is refused when the channel is entered: %s', async (_, url) => {
    expect(await refused(webhook({ url }))).toBe('422 RECEIVER_NOT_ALLOWED /configuration/url');
  });

  it('is refused behind a name, and for mail', async () => {
    expect(await refused(webhook({ url: 'https://inner.example/hook' }))).toBe(
      '422 RECEIVER_NOT_ALLOWED /configuration/url',
    );
    expect(await refused(email({ host: '192.168.7.7' }))).toBe('422 RECEIVER_NOT_ALLOWED /configuration/host');
    expect(await refused({ kind: 'pagerduty', routing_key: ROUTING_KEY, events_url: 'http://10.1.1.1/' })).toBe(
      '422 RECEIVER_NOT_ALLOWED /configuration/events_url',
    );
  });

  it('is refused with what else is wrong with a URL', async () => {
    expect(await refused(webhook({ url: 'http://user:pass@127.0.0.1/' }))).toBe('422 FIELD_INVALID /configuration/url');
    expect(await refused(webhook({ url: 'file:///etc/passwd' }))).toBe('422 FIELD_INVALID /configuration/url');
    expect(await refused(email({ recipients: ['not an address'] }))).toBe(
      '422 FIELD_INVALID /configuration/recipients/0',
    );
  });

  it('is refused by a test where it was allowed once', async () => {
    const strict = await startApiUnderTest();
    const { channels } = strict.repositories;
    const by = { tenantId: strict.acme.tenantId, actor: 'an earlier operator' };
    const made = await channels.create(by, 'inner', { kind: 'slack', url: 'https://127.0.0.1/hook' });
    const id = made.kind === 'done' ? made.channel.id : '';
    const path = `/v1/alerts/channels/${id}/test`;
    const { attempt } = read(await send(strict.url, 'POST', path, { key: strict.acme.key }), testedChannelSchema);
    expect(attempt).toMatchObject({ outcome: 'permanent', error_code: 'ADDRESS_NOT_ALLOWED', status_code: null });
    await strict.close();
  });
});

describe('what others see of a channel', () => {
  it('another tenant finds nothing', async () => {
    const { id } = await create('ours', webhook());
    const theirs = (method: string, path = '', body?: unknown) =>
      request(method, `/${id}${path}`, body, under.globex.key);
    const put = { name: 'theirs', configuration: { kind: 'webhook' } };
    const since = { since: new Date(0).toISOString() };
    for (const answer of [
      await theirs('GET'),
      await theirs('PUT', '', put),
      await theirs('DELETE'),
      await theirs('POST', '/test'),
      await theirs('POST', '/rotate-secret', {}),
      await theirs('POST', '/replay', since),
    ]) {
      expect(shortProblem(answer)).toBe('404 CHANNEL_UNKNOWN');
    }
    const list = read(await request('GET', '', undefined, under.globex.key), channelPageSchema);
    expect(list.items).toEqual([]);
    expect(http.received).toEqual([]);
  });

  it('a key needs the scope, and every agent', async () => {
    const body = { name: 'x', configuration: webhook() };
    const reader = await under.keyWith(under.acme, ['alerts:read']);
    expect(shortProblem(await request('POST', '', body, reader))).toBe('403 SCOPE_MISSING');
    const narrow = await under.keyWith(under.acme, ['alerts:manage'], ['first']);
    expect(shortProblem(await request('POST', '', body, narrow))).toBe('403 AGENT_NOT_ALLOWED');
  });

  it('one that was deleted is gone, with what was to be sent to it', async () => {
    const { id } = await create('gone', webhook());
    await test(id);
    expect((await request('DELETE', `/${id}`)).status).toBe(204);
    expect(shortProblem(await request('GET', `/${id}`))).toBe('404 CHANNEL_UNKNOWN');
    expect(shortProblem(await request('DELETE', `/${id}`))).toBe('404 CHANNEL_UNKNOWN');
    await create('gone', webhook());
  });

  it('no secret is in a later answer, a row or a line of the log', async () => {
    const secrets = [PASSWORD, ROUTING_KEY, BEARER, PATH_TOKEN];
    const text = [...answers, await storedRows(), JSON.stringify(under.logged)].join('\n');
    for (const secret of secrets) expect(text).not.toContain(secret);
    const shown = answers.flatMap((answer) => /"signing_secret":"(whsec_[^"]+)"/u.exec(answer)?.[1] ?? []);
    expect(shown.length).toBeGreaterThan(3);
    for (const secret of shown) {
      // Once in the answer that made it, and nowhere else.
      expect(text.split(secret.slice('whsec_'.length))).toHaveLength(2);
    }
  });
});
