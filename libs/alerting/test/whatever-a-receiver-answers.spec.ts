import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createGuardedHttp } from '../src/outbound/guarded-http';
import { OUTBOUND_TO_LOOPBACK } from './outbound-to-loopback';
import { startReceiver } from './receiver';

const REQUEST = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  secrets: [],
} as const;
const http = createGuardedHttp(OUTBOUND_TO_LOOPBACK);

type Answer = Parameters<typeof startReceiver>[0];

async function resultOf(answer: Answer, overrides: { path?: string; secrets?: string[]; deadlineMs?: number } = {}) {
  const receiver = await startReceiver(answer);
  const send =
    overrides.deadlineMs === undefined
      ? http
      : createGuardedHttp({ ...OUTBOUND_TO_LOOPBACK, deadlineMs: overrides.deadlineMs });
  try {
    const url = `${receiver.url}${overrides.path ?? '/hook'}`;
    return await send({ ...REQUEST, url, secrets: overrides.secrets ?? [] });
  } finally {
    await receiver.close();
  }
}

it('200: delivered, with what it said', async () => {
  const result = await resultOf((response) => response.end('{"ok":true}'));
  expect(result).toMatchObject({
    outcome: 'delivered',
    statusCode: 200,
    responseExcerpt: '{"ok":true}',
    errorClass: null,
    errorCode: null,
  });
});

it.each([
  [500, 'retry', 'HTTP_SERVER_ERROR'],
  [503, 'retry', 'HTTP_SERVER_ERROR'],
  [400, 'permanent', 'HTTP_REJECTED'],
  [404, 'permanent', 'HTTP_REJECTED'],
  [408, 'retry', 'HTTP_REJECTED'],
  [410, 'gone', 'HTTP_GONE'],
  [429, 'retry', 'HTTP_RATE_LIMITED'],
  [600, 'retry', 'HTTP_UNEXPECTED'],
])('%d: %s', async (status, outcome, errorCode) => {
  const result = await resultOf((response) => response.writeHead(status).end());
  expect(result).toMatchObject({ outcome, statusCode: status, errorCode, errorClass: 'response' });
});

it.each([
  ['2', 2_000],
  ['0', 0],
  ['Tue, 01 Jan 2002 00:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['1e9', undefined],
])('429 with retry-after %s asks to wait %s ms', async (header, expected) => {
  const result = await resultOf((response) => response.writeHead(429, { 'retry-after': header }).end());
  expect(result.retryAfterMs).toBe(expected);
});

it.each([
  [301, 'permanent'],
  [302, 'retry'],
  [307, 'retry'],
  [308, 'permanent'],
])('%d to a metadata address is not followed: %s', async (status, outcome) => {
  const result = await resultOf((response) =>
    response.writeHead(status, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  );
  expect(result).toMatchObject({ outcome, statusCode: status, errorCode: 'HTTP_REDIRECT' });
  expect(result.detail).toContain('not followed');
});

it('a redirect to itself asks the receiver once', async () => {
  const receiver = await startReceiver((response) => response.writeHead(302, { location: '/again' }).end());
  await http({ ...REQUEST, url: receiver.url });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  await receiver.close();
});

it('a body of 1 MB: delivered, and 4 KB of it kept', async () => {
  const result = await resultOf((response) => response.end('é'.repeat(524_288)));
  expect(result.outcome).toBe('delivered');
  expect(Buffer.byteLength(result.responseExcerpt)).toBeLessThanOrEqual(4_096);
  expect(result.responseExcerpt).toMatch(/^é+$/);
});

it('a body without end: delivered, and the connection is closed', async () => {
  let closed: Promise<void> | undefined;
  const result = await resultOf((response) => {
    closed = new Promise((resolve) => response.on('close', resolve));
    const more = () => response.write('x'.repeat(16_384), () => !response.destroyed && setImmediate(more));
    more();
  });
  expect(result.outcome).toBe('delivered');
  await closed;
});

it('a body that stalls: what the status said counts', async () => {
  const result = await resultOf((response) => response.writeHead(202).write('part'), { deadlineMs: 200 });
  expect(result).toMatchObject({ outcome: 'delivered', statusCode: 202 });
});

it('a receiver that never answers is given up at the deadline', async () => {
  const result = await resultOf(() => undefined, { deadlineMs: 100 });
  expect(result).toMatchObject({ outcome: 'retry', errorClass: 'timeout', errorCode: 'DEADLINE_EXCEEDED' });
  expect(result.statusCode).toBeUndefined();
});

it('a receiver that answers after the deadline is given up', async () => {
  const result = await resultOf((response) => void setTimeout(() => response.end('late'), 2_000).unref(), {
    deadlineMs: 100,
  });
  expect(result.errorCode).toBe('DEADLINE_EXCEEDED');
});

it('a caller that stops the attempt is told so', async () => {
  const stop = new AbortController();
  const receiver = await startReceiver(() => stop.abort());
  const result = await http({ ...REQUEST, url: receiver.url }, stop.signal);
  expect(result).toMatchObject({ outcome: 'retry', errorClass: 'cancelled', errorCode: 'CANCELLED' });
  await receiver.close();
  expect(await http({ ...REQUEST, url: receiver.url }, stop.signal)).toMatchObject({ errorCode: 'CANCELLED' });
});

it('a connection that is reset', async () => {
  const result = await resultOf((response) => response.socket?.resetAndDestroy());
  expect(result).toMatchObject({ outcome: 'retry', errorClass: 'network', errorCode: 'CONNECTION_RESET' });
});

it('a port where nobody listens', async () => {
  const receiver = await startReceiver(() => undefined);
  await receiver.close();
  expect(await http({ ...REQUEST, url: receiver.url })).toMatchObject({
    outcome: 'retry',
    errorCode: 'CONNECTION_REFUSED',
  });
});

it('something that is not HTTP', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('220 mail.example ESMTP\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await http({ ...REQUEST, url: `http://127.0.0.1:${port}/` })).toMatchObject({
    outcome: 'retry',
    errorCode: 'RESPONSE_INVALID',
  });
  server.close();
});

it('endless headers', async () => {
  const result = await resultOf((response) => response.writeHead(200, { 'x-long': 'h'.repeat(200_000) }).end());
  expect(result).toMatchObject({ outcome: 'retry', errorCode: 'RESPONSE_INVALID' });
});

it('NUL, controls and broken UTF-8 do not reach the excerpt', async () => {
  const result = await resultOf((response) =>
    response.end(Buffer.from([0x61, 0, 0x1b, 0xff, 0xed, 0xa0, 0x80, 0x0a, 0x62])),
  );
  expect(result.responseExcerpt).toMatch(/^a\ufffd+\nb$/);
});

describe('Secrets that a receiver says back are masked', () => {
  const token = 'T0k3n/with+signs&more=';
  const path = `/services/T00000000/${encodeURIComponent(token)}?key=abcdef0123`;

  it.each([
    ['the URL', (own: string) => own],
    ['the path', () => path],
    ['the decoded token', () => token],
    ['the query value', () => 'abcdef0123'],
    ['JSON', () => JSON.stringify({ token }).replaceAll('/', '\\/')],
    ['HTML', () => `<b>${token.replaceAll('&', '&amp;')}</b>`],
  ])('in the form of %s', async (_, said) => {
    const receiver = await startReceiver((response, request) =>
      response.writeHead(500).end(`no: ${said(`http://${request.headers.host}${request.path}`)} !`),
    );
    const result = await http({ ...REQUEST, url: receiver.url + path });
    await receiver.close();
    expect(result.responseExcerpt).toContain('[secret]');
    expect(result.responseExcerpt).not.toContain('with');
    expect(result.responseExcerpt).not.toContain('abcdef');
    expect(result.detail).not.toContain('services');
  });

  it('when the cut at 64 KB splits one that masking brings near', async () => {
    const secret = 'routing-key-0123456789'.repeat(20);
    const result = await resultOf((response) => response.end(secret.repeat(200)), { secrets: [secret] });
    expect(result.responseExcerpt).not.toContain('routing');
  });
});

describe('TLS', () => {
  const read = (name: string) => readFileSync(join(__dirname, 'certificates', name), 'utf8');
  const tls = { key: read('key.pem'), cert: read('certificate.pem') };
  const atLoopback = { ...OUTBOUND_TO_LOOPBACK, resolveAddresses: () => Promise.resolve(['127.0.0.1']) };

  it('a certificate that nobody vouches for is refused, before the request is sent', async () => {
    const receiver = await startReceiver((response) => response.end(), tls);
    const result = await createGuardedHttp(atLoopback)({
      ...REQUEST,
      url: `https://receiver.example:${receiver.port}/`,
    });
    expect(result).toMatchObject({ outcome: 'retry', errorClass: 'tls', errorCode: 'TLS_FAILED' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  it('an authority of one’s own vouches for its names and for no other', async () => {
    const receiver = await startReceiver((response) => response.end('ok'), tls);
    const trusting = createGuardedHttp({ ...atLoopback, trustedCertificates: [tls.cert] });
    expect(await trusting({ ...REQUEST, url: `https://receiver.example:${receiver.port}/` })).toMatchObject({
      outcome: 'delivered',
    });
    expect(await trusting({ ...REQUEST, url: `https://other.example:${receiver.port}/` })).toMatchObject({
      errorCode: 'TLS_FAILED',
    });
    await receiver.close();
  });

  it('a receiver that speaks no TLS', async () => {
    const receiver = await startReceiver((response) => response.end());
    const result = await createGuardedHttp(atLoopback)({ ...REQUEST, url: `https://127.0.0.1:${receiver.port}/` });
    expect(result).toMatchObject({ outcome: 'retry', errorCode: 'TLS_FAILED' });
    await receiver.close();
  });
});
