import { auditEntryPageSchema, auditEntrySchema, auditVerificationSchema, compactionSchema } from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
});

afterAll(() => under.close());

async function entries(query = '') {
  const answer = await send(under.url, 'GET', `/v1/audit-log?limit=200${query}`, { key: under.acme.key });
  return read(answer, auditEntryPageSchema).items;
}

it('tells who did what, to those who may know', async () => {
  const [entry] = await entries('&action=agent.put&subject=bot');
  expect(entry).toMatchObject({ action: 'agent.put', subject: 'bot', detail: { policy_version: 1 } });
  expect(under.acme.key).toContain(entry?.actor ?? 'nobody');
  const without = await under.keyWith(under.acme, ['agents:read']);
  expect(shortProblem(await send(under.url, 'GET', '/v1/audit-log', { key: without }))).toBe('403 SCOPE_MISSING');
  const foreign = await send(under.url, 'GET', '/v1/audit-log', { key: under.globex.key });
  expect(read(foreign, auditEntryPageSchema).items).toEqual([]);
});

it('is exported as lines, and says that it is whole', async () => {
  const answer = await send(under.url, 'GET', '/v1/audit-log/export', { key: under.acme.key });
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => auditEntrySchema.parse(JSON.parse(line)));
  expect(lines.map(({ id }) => id)).toEqual((await entries()).map(({ id }) => id).reverse());
  const verified = read(
    await send(under.url, 'GET', '/v1/audit-log/verify', { key: under.acme.key }),
    auditVerificationSchema,
  );
  expect(verified).toMatchObject({ ok: true, rows: lines.length, first_broken: null });
  expect(verified.head?.hash).toBe(lines.at(-1)?.hash);
});

it('refuses a filter that says nothing', async () => {
  const answer = await send(under.url, 'GET', '/v1/audit-log?from=yesterday', { key: under.acme.key });
  expect(shortProblem(answer)).toBe('422 FIELD_INVALID /from');
});

it('notes who reads content, once in a while and not each time', async () => {
  const body = `{"agent":"bot","session":"read","budget_tokens":4000,"window":${orderWindow(30)}}`;
  const accepted = read(
    await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
    compactionSchema,
    202,
  );
  await runPass(under.database, accepted.id);
  const window = await send(under.url, 'GET', `/v1/compactions/${accepted.id}/window`, { key: under.acme.key });
  const handle = /recall (h_[0-9a-z]+)/u.exec(window.text)?.[1] ?? '';
  const reader = await under.keyWith(under.acme, ['recall:read']);
  for (let n = 0; n < 3; n += 1) {
    const recalled = await send(under.url, 'GET', `/v1/recall/${handle}?agent=bot&session=read`, { key: reader });
    expect(recalled.status).toBe(200);
  }
  const reads = await entries('&action=content.read');
  expect(reads.map(({ detail }) => detail['via'])).toEqual(['recall', 'window']);
  expect(new Set(reads.map(({ subject }) => subject)).size).toBe(1);
  expect(reader).toContain(reads[0]?.actor ?? 'nobody');
});
