import { livenessSchema, readinessSchema } from '@holdfast/contracts';
import { findFreePort, until } from '@holdfast/testkit';
import { problemIn, read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

describe('the process', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await startApiUnderTest();
  });
  afterAll(() => under.close());

  it('says that it runs and can serve', async () => {
    expect(read(await send(under.url, 'GET', '/healthz'), livenessSchema)).toEqual({ status: 'ok' });
    const ready = read(await send(under.url, 'GET', '/readyz'), readinessSchema);
    expect(ready.checks).toMatchObject({ postgres: 'ok', migrations: 'current' });
  });

  it('shows its metrics and its documentation without a key', async () => {
    expect((await send(under.url, 'GET', '/metrics')).text).toContain('holdfast_dispatches_total');
    const document = JSON.parse((await send(under.url, 'GET', '/openapi.json')).text) as { readonly openapi: string };
    expect(document.openapi).toBe('3.1.0');
    const page = await send(under.url, 'GET', '/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('/v1/compactions');
    expect(page.text).not.toMatch(/<script|https?:\/\/(?!json-schema)/);
  });

  it('answers what it does not know with a problem', async () => {
    const key = under.acme.key;
    expect(shortProblem(await send(under.url, 'GET', '/v1/nothing', { key }))).toBe('404 ROUTE_UNKNOWN');
    expect(shortProblem(await send(under.url, 'GET', '/'))).toBe('404 ROUTE_UNKNOWN');
    expect(shortProblem(await send(under.url, 'GET', '/v1/agents/%E0%A4%A', { key }))).toMatch(/^4\d\d /);
    const wrong = await send(under.url, 'DELETE', '/v1/compactions', { key });
    expect(shortProblem(wrong)).toBe('405 METHOD_NOT_ALLOWED');
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  it('takes the id of a request that can be one, and says it', async () => {
    const given = await send(under.url, 'GET', '/v1/nothing', { headers: { 'x-request-id': 'trace-1' } });
    expect(given.headers.get('x-request-id')).toBe('trace-1');
    expect(problemIn(given).request_id).toBe('trace-1');
    const odd = await send(under.url, 'GET', '/v1/nothing', { headers: { 'x-request-id': 'a b"c' } });
    expect(problemIn(odd).request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('lets nothing be framed, sniffed or kept', async () => {
    const { headers } = await send(under.url, 'GET', '/v1/nothing');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('without the database', () => {
  it('is not ready, and answers 503 with a time to come back', async () => {
    const port = await findFreePort();
    const under = await startApiUnderTest({ databaseUrl: `postgresql://x:y@127.0.0.1:${port}/z` });
    try {
      expect(read(await send(under.url, 'GET', '/healthz'), livenessSchema)).toEqual({ status: 'ok' });
      const ready = read(await send(under.url, 'GET', '/readyz'), readinessSchema, 503);
      expect(ready.checks.postgres).toBe('unreachable');
      const answer = await send(under.url, 'GET', '/v1/agents', { key: under.acme.key });
      expect(shortProblem(answer)).toBe('503 STORE_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(problemIn(answer).retryable).toBe(true);
    } finally {
      await under.close();
    }
  });
});

describe('without the queue', () => {
  it('is ready, accepts windows, and leaves the job to the relay', async () => {
    const port = await findFreePort();
    const under = await startApiUnderTest({ queueUrl: `postgresql://x:y@127.0.0.1:${port}/z` });
    try {
      const key = under.acme.key;
      const settings = JSON.stringify({ mode: 'observe', recall: 'none' });
      await send(under.url, 'PUT', '/v1/agents/bot', { key, body: settings });
      const body = '{"agent":"bot","session":"s","budget_tokens":100,"window":[{"role":"user","content":"x"}]}';
      expect((await send(under.url, 'POST', '/v1/compactions', { key, body })).status).toBe(202);
      expect(read(await send(under.url, 'GET', '/readyz'), readinessSchema).status).toBe('ready');
      expect((await under.rowCounts(under.acme))['outbox']).toBe(1);
      await until(() => under.logged.some(({ message }) => message.startsWith('The job was not sent')));
    } finally {
      await under.close();
    }
  });
});

describe('closing', () => {
  it('ends streams and waits at once, and finishes what is under way', async () => {
    const under = await startApiUnderTest();
    const key = under.acme.key;
    const settings = JSON.stringify({ mode: 'observe', recall: 'none' });
    await send(under.url, 'PUT', '/v1/agents/bot', { key, body: settings });
    const body = '{"agent":"bot","session":"s","budget_tokens":100,"window":[{"role":"user","content":"x"}]}';
    const { id } = JSON.parse((await send(under.url, 'POST', '/v1/compactions', { key, body })).text) as { id: string };
    const events = send(under.url, 'GET', `/v1/compactions/${id}/events`, { key });
    const waiting = send(under.url, 'POST', '/v1/compactions', { key, body, headers: { prefer: 'wait=60' } });
    await until(async () => (await under.rowCounts(under.acme))['compactions'] === 2);
    await under.close();
    expect((await waiting).status).toBe(202);
    expect((await events).text).toContain('event: accepted');
    await expect(send(under.url, 'GET', '/healthz')).rejects.toThrow();
  });
});
