import { createChannelSender } from '../src/channels/channel-sender';
import type { ChannelConfiguration } from '../src/channels/channel-configuration';
import type { AlertNotification } from '../src/alert-notification';
import { ALERT_OF_A_REFUSAL, HOSTILE_NAME } from './alert-of-a-refusal';
import { OUTBOUND_TO_LOOPBACK } from './outbound-to-loopback';
import { type ReceivedRequest, startReceiver } from './receiver';

const send = createChannelSender(OUTBOUND_TO_LOOPBACK);
const ROUTING_KEY = 'r0ut1ngkey0123456789abcdef012345';
const HOSTILE: AlertNotification = {
  ...ALERT_OF_A_REFUSAL,
  agentId: HOSTILE_NAME,
  sessionId: 's'.repeat(100_000),
  toolNames: Array.from({ length: 500 }, () => HOSTILE_NAME),
  dashboardUrl: 'javascript:alert(1)',
};

async function exchanged(
  notification: AlertNotification,
  channelAt: (url: string) => ChannelConfiguration,
  status = 200,
  said = (_: ReceivedRequest) => 'ok',
) {
  const receiver = await startReceiver((response, request) => response.writeHead(status).end(said(request)));
  const result = await send(notification, channelAt(receiver.url));
  await receiver.close();
  const [request] = receiver.received;
  const body: unknown = JSON.parse(request?.body ?? 'null');
  return { result, request, body };
}

describe('Slack', () => {
  const channelAt = (url: string): ChannelConfiguration => ({
    kind: 'slack',
    url: `${url}/services/T000/B000/s3cr3tt0k3n0123456`,
  });

  it('gets a text for the lock screen, fields, and a button to the dashboard', async () => {
    const { result, body } = await exchanged(ALERT_OF_A_REFUSAL, channelAt);
    expect(result.outcome).toBe('delivered');
    expect(body).toMatchObject({
      text: 'Compaction refused: AMBIGUOUS_ELEMENT; agent billing-bot; stuck until somebody acts; tools get_order, send_invoice; headroom 1240 tokens',
    });
    expect(JSON.stringify(body)).toContain('"url":"https://holdfast.example/refusals/9?tab=a&b=c"');
    expect(JSON.stringify(body)).toContain('*First repair*\\nFits if `get_order` is declared re-readable.');
  });

  it('gets no mention, no link and no oversized field from a name', async () => {
    const { body, request } = await exchanged(HOSTILE, channelAt);
    expect(request?.body).not.toMatch(/<!|<https|javascript:|\\u0000|\\ud800/);
    const { blocks } = body as { blocks: { type: string; text?: { text: string }; fields?: { text: string }[] }[] };
    expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(150);
    for (const field of blocks[1]?.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2_000);
    expect(blocks[1]?.fields?.length).toBeLessThanOrEqual(10);
    expect(blocks.some(({ type }) => type === 'actions')).toBe(true);
  });

  it.each([
    [400, 'permanent'],
    [404, 'permanent'],
    [410, 'gone'],
    [429, 'retry'],
    [500, 'retry'],
  ])('%d: %s, and the token of its URL is not in the excerpt', async (status, outcome) => {
    const { result } = await exchanged(ALERT_OF_A_REFUSAL, channelAt, status, ({ path }) => `no such hook ${path}`);
    expect(result).toMatchObject({ outcome, responseExcerpt: 'no such hook [secret]' });
  });
});

describe('PagerDuty', () => {
  const channelAt = (url: string): ChannelConfiguration => ({
    kind: 'pagerduty',
    routing_key: ROUTING_KEY,
    events_url: `${url}/v2/enqueue`,
  });

  it('gets a trigger that says what somebody who was woken needs', async () => {
    const { result, body } = await exchanged(ALERT_OF_A_REFUSAL, channelAt, 202);
    expect(result.outcome).toBe('delivered');
    expect(body).toMatchObject({
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
      dedup_key: 'holdfast:0193-7e0a',
      payload: {
        source: 'billing-bot',
        severity: 'critical',
        class: 'AMBIGUOUS_ELEMENT',
        group: 'tenant-1',
        custom_details: { 'First repair': 'Fits if `get_order` is declared re-readable.', Occurrences: '3' },
      },
    });
  });

  it.each(['acknowledge', 'resolve'] as const)('finds the trigger of a %s by the same key', async (action) => {
    const { body } = await exchanged({ ...ALERT_OF_A_REFUSAL, action }, channelAt, 202);
    expect(body).toEqual({ routing_key: ROUTING_KEY, event_action: action, dedup_key: 'holdfast:0193-7e0a' });
  });

  it('gets at most 1,024 characters of summary from any names', async () => {
    const { body } = await exchanged(HOSTILE, channelAt, 202);
    const { payload } = body as { payload: { summary: string } };
    expect(payload.summary.length).toBeLessThanOrEqual(1_024);
    expect(payload.summary).not.toMatch(/[\r\n\u0000\u202e]/);
  });

  it.each([
    [400, 'permanent'],
    [429, 'retry'],
    [503, 'retry'],
  ])('%d: %s, and the key is not in the excerpt', async (status, outcome) => {
    const { result } = await exchanged(ALERT_OF_A_REFUSAL, channelAt, status, ({ body }) => body.slice(0, 80));
    expect(result.outcome).toBe(outcome);
    expect(result.responseExcerpt).toContain('"routing_key":"[secret]"');
  });
});

describe('Alertmanager', () => {
  const channelAt = (url: string): ChannelConfiguration => ({
    kind: 'alertmanager',
    url: `${url}/prefix/`,
    bearer_token: 't0ken-0123456789',
  });

  it('gets the alert under its prefix, with the token', async () => {
    const { request, body } = await exchanged(ALERT_OF_A_REFUSAL, channelAt);
    expect(request).toMatchObject({ method: 'POST', path: '/prefix/api/v2/alerts' });
    expect(request?.headers.authorization).toBe('Bearer t0ken-0123456789');
    expect(body).toMatchObject([
      {
        labels: {
          alertname: 'HoldfastCompactionRefused',
          alert_instance: '0193-7e0a',
          severity: 'page',
          tenant: 'tenant-1',
          agent: 'billing-bot',
          code: 'AMBIGUOUS_ELEMENT',
        },
        annotations: {
          summary: 'Compaction refused: AMBIGUOUS_ELEMENT',
          runbook_url: 'https://runbooks.example/refusals',
        },
        startsAt: '2026-11-30T18:58:00.000Z',
        generatorURL: 'https://holdfast.example/refusals/9?tab=a&b=c',
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('endsAt');
  });

  it('gets a resolve with the labels of its trigger and an end', async () => {
    const trigger = await exchanged(ALERT_OF_A_REFUSAL, channelAt);
    const resolve = await exchanged(
      {
        ...ALERT_OF_A_REFUSAL,
        action: 'resolve',
        type: 'compaction.refusal_resolved',
        occurredAt: '2026-11-30T20:00:00.000Z',
      },
      channelAt,
    );
    const [triggered] = trigger.body as [{ labels: object }];
    expect(resolve.body).toMatchObject([{ labels: triggered.labels, endsAt: '2026-11-30T20:00:00.000Z' }]);
  });

  it('gets a user name and a password, which no excerpt repeats', async () => {
    const { result, request } = await exchanged(
      ALERT_OF_A_REFUSAL,
      (url) => ({ kind: 'alertmanager', url, user_name: 'holdfast', password: 'pa55word-é' }),
      401,
      ({ headers }) => `${headers.authorization} pa55word-é`,
    );
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('holdfast:pa55word-é').toString('base64')}`);
    expect(result.responseExcerpt).toBe('Basic [secret] [secret]');
  });
});
