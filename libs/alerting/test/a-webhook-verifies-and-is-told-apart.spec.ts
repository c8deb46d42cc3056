import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { ALERT_TYPES } from '../src/alert-notification';
import type { WebhookChannel } from '../src/channels/channel-configuration';
import { createWebhookSender, webhookBody } from '../src/channels/webhook';
import { isSigningSecret, signingSecretOf, signWebhook } from '../src/channels/webhook-signature';
import { createGuardedHttp } from '../src/outbound/guarded-http';
import { ALERT_OF_A_REFUSAL, HOSTILE_NAME } from './alert-of-a-refusal';
import { OUTBOUND_TO_LOOPBACK } from './outbound-to-loopback';
import { type ReceivedRequest, startReceiver } from './receiver';

const send = createWebhookSender(createGuardedHttp(OUTBOUND_TO_LOOPBACK));
const secret = signingSecretOf(randomBytes(32));

function headersOf({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function received(channel: Omit<WebhookChannel, 'kind' | 'url'>, attempts = 1) {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  for (let at = 0; at < attempts; at += 1) {
    const result = await send(ALERT_OF_A_REFUSAL, { kind: 'webhook', url: `${receiver.url}/hook`, ...channel });
    expect(result).toMatchObject({ outcome: 'delivered', statusCode: 204 });
  }
  await receiver.close();
  return receiver.received;
}

it('A receiver verifies the message with a library of its own', async () => {
  const [request] = await received({ signing_secret: secret });
  const payload = new Webhook(secret).verify(request!.body, headersOf(request!));
  expect(payload).toMatchObject({
    type: 'compaction.refused',
    timestamp: '2026-11-30T19:00:00.000Z',
    data: {
      action: 'trigger',
      severity: 'page',
      title: 'Compaction refused: AMBIGUOUS_ELEMENT',
      agent_id: 'billing-bot',
      tool_names: ['get_order', 'send_invoice'],
      agent_stuck: true,
      headroom_tokens: 1_240,
      first_repair: 'Fits if `get_order` is declared re-readable.',
    },
  });
});

it('A changed body, another id and another secret do not verify', async () => {
  const [request] = await received({ signing_secret: secret });
  const headers = headersOf(request!);
  expect(() => new Webhook(secret).verify(`${request!.body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(request!.body, { ...headers, 'webhook-id': 'msg_other' })).toThrow();
  expect(() => new Webhook(signingSecretOf(randomBytes(32))).verify(request!.body, headers)).toThrow();
});

it('Attempts of one notification have one id and one body, and a receiver may deduplicate by the id', async () => {
  const requests = await received({ signing_secret: secret }, 3);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['msg_01jd8x3k2v']));
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
});

it('While a secret is rotated both verify; afterwards the new one alone', async () => {
  const old = signingSecretOf(randomBytes(24));
  const rotating = { signing_secret: secret, previous_signing_secret: old };
  const [during] = await received({ ...rotating, previous_secret_until: '2999-01-01T00:00:00Z' });
  new Webhook(secret).verify(during!.body, headersOf(during!));
  new Webhook(old).verify(during!.body, headersOf(during!));
  const [after] = await received({ ...rotating, previous_secret_until: '2001-01-01T00:00:00Z' });
  new Webhook(secret).verify(after!.body, headersOf(after!));
  expect(() => new Webhook(old).verify(after!.body, headersOf(after!))).toThrow();
});

it.each([
  [400, 'retry'],
  [401, 'retry'],
  [404, 'retry'],
  [410, 'gone'],
  [429, 'retry'],
  [500, 'retry'],
])('%d: %s', async (status, outcome) => {
  const receiver = await startReceiver((response) => response.writeHead(status).end(secret));
  const result = await send(ALERT_OF_A_REFUSAL, { kind: 'webhook', url: receiver.url, signing_secret: secret });
  expect(result).toMatchObject({ outcome, statusCode: status, responseExcerpt: '[secret]' });
  await receiver.close();
});

it('An id that cannot be signed and a secret that cannot sign are final', async () => {
  const channel = { kind: 'webhook', url: 'https://receiver.example/', signing_secret: secret } as const;
  expect(await send({ ...ALERT_OF_A_REFUSAL, notificationId: 'a.b' }, channel)).toMatchObject({
    outcome: 'permanent',
    errorCode: 'REQUEST_INVALID',
  });
  expect(await send(ALERT_OF_A_REFUSAL, { ...channel, signing_secret: 'whsec_short' })).toMatchObject({
    outcome: 'permanent',
    errorCode: 'CHANNEL_INVALID',
  });
});

describe('For any input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.constant(HOSTILE_NAME),
    fc.constant('"\\'.repeat(5_000)),
  );

  it('a body stays below 20 kB and is JSON in valid Unicode', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 40 }),
        text,
        fc.constantFrom(...ALERT_TYPES),
        (name, toolNames, repair, type) => {
          const body = webhookBody({
            ...ALERT_OF_A_REFUSAL,
            type,
            agentId: name,
            sessionId: name,
            tenantId: name,
            code: name,
            toolNames,
            firstRepair: repair,
            dashboardUrl: `https://holdfast.example/${encodeURIComponent(name.toWellFormed())}`,
          });
          expect(Buffer.byteLength(body)).toBeLessThan(20_000);
          expect(body.isWellFormed()).toBe(true);
          expect(JSON.parse(body)).toMatchObject({ type });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('what is signed verifies', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.string({ unit: 'grapheme' }), (key, content) => {
        const made = signingSecretOf(key);
        expect(isSigningSecret(made)).toBe(true);
        const seconds = Math.floor(Date.now() / 1_000);
        const body = JSON.stringify({ content });
        const headers = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(seconds),
          'webhook-signature': signWebhook('msg_1', seconds, body, [made]),
        };
        expect(new Webhook(made).verify(body, headers)).toEqual({ content });
      }),
      { numRuns: 60 },
    );
  });
});
