import {
  auditEntryPageSchema,
  compactionSchema,
  effectPageSchema,
  erasurePageSchema,
  erasureSchema,
  recordPageSchema,
  sessionSchema,
} from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest, type Tenant } from '../../test/running-api';

let under: ApiUnderTest;
let acme: Tenant;

beforeAll(async () => {
  under = await startApiUnderTest();
  acme = under.acme;
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  for (const agent of ['bot', 'other']) await send(under.url, 'PUT', `/v1/agents/${agent}`, { key: acme.key, body });
});

afterAll(() => under.close());

interface Compacted {
  readonly id: string;
  readonly sessionId: string;
  readonly handle: string;
}

async function compacted(session: string, { agent = 'bot', subject = '', mark = session } = {}): Promise<Compacted> {
  // Words of its own, so that nothing of it is shared with another session.
  const window = orderWindow(30).replaceAll('W1', `W1${mark}`);
  const about = subject === '' ? '' : `"subject":"${subject}",`;
  const body = `{"agent":"${agent}","session":"${session}",${about}"budget_tokens":4000,"window":${window}}`;
  const answer = await send(under.url, 'POST', '/v1/compactions', { key: acme.key, body });
  const accepted = read(answer, compactionSchema, 202);
  await runPass(under.database, accepted.id);
  const output = await send(under.url, 'GET', `/v1/compactions/${accepted.id}/window`, { key: acme.key });
  const { id: sessionId } = read(
    await send(under.url, 'GET', `/v1/agents/${agent}/sessions/${session}`, { key: acme.key }),
    sessionSchema,
  );
  return { id: accepted.id, sessionId, handle: /recall (h_[0-9a-z]+)/u.exec(output.text)?.[1] ?? '' };
}

function erase(request: unknown, key = acme.key) {
  return send(under.url, 'POST', '/v1/erasures', { key, body: JSON.stringify(request) });
}

function recall({ handle }: Compacted, session: string, agent = 'bot') {
  return send(under.url, 'GET', `/v1/recall/${handle}?agent=${agent}&session=${session}`, { key: acme.key });
}

async function leftBytes(): Promise<number> {
  return under.database.withTenant(acme.tenantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ n: number }[]>`
      select coalesce(sum(octet_length(bytes)), 0)::int as n from originals`;
    return row?.n ?? -1;
  });
}

it('of a session takes its content and keeps the ledger with what was masked, and tells so', async () => {
  const gone = await compacted('gone');
  const stays = await compacted('stays');
  expect((await recall(gone, 'gone')).status).toBe(200);
  const effects = '/v1/agents/bot/sessions/gone/effects';
  const before = read(await send(under.url, 'GET', effects, { key: acme.key }), effectPageSchema).items;
  expect(before.length).toBeGreaterThan(0);

  const erasure = read(await erase({ scope: 'session', target: gone.sessionId }), erasureSchema, 201);
  expect(erasure.report).toMatchObject({ sessions: 1, effects: before.length, data_keys: 0 });
  expect(erasure.report.originals).toBeGreaterThan(3);

  expect(shortProblem(await recall(gone, 'gone'))).toBe('410 ORIGINAL_ERASED');
  const output = await send(under.url, 'GET', `/v1/compactions/${gone.id}/window`, { key: acme.key });
  expect(shortProblem(output)).toBe('410 ORIGINAL_ERASED');
  const after = read(await send(under.url, 'GET', effects, { key: acme.key }), effectPageSchema).items;
  expect(after.map(({ status, action }) => [status, action])).toEqual(
    before.map(({ status, action }) => [status, action]),
  );
  expect(after.map(({ target, evidence, kept }) => [target, evidence, kept])).toEqual(
    before.map(() => ['[erased]', '', []]),
  );
  const records = await send(under.url, 'GET', '/v1/agents/bot/sessions/gone/records', { key: acme.key });
  expect(
    read(records, recordPageSchema)
      .items.map(({ content }) => content)
      .join(''),
  ).toBe('');

  expect((await recall(stays, 'stays')).status).toBe(200);
  const log = await send(under.url, 'GET', '/v1/audit-log?action=data.erase', { key: acme.key });
  expect(read(log, auditEntryPageSchema).items[0]).toMatchObject({ subject: erasure.id });
  const listed = read(await send(under.url, 'GET', '/v1/erasures', { key: acme.key }), erasurePageSchema);
  expect(listed.items[0]).toEqual(erasure);
});

it('keeps what another session needs too, until that is erased as well', async () => {
  const first = await compacted('first', { mark: 'same' });
  const second = await compacted('second', { mark: 'same' });
  await erase({ scope: 'session', target: first.sessionId });
  expect((await recall(second, 'second')).status).toBe(200);
  await erase({ scope: 'session', target: second.sessionId });
  expect(shortProblem(await recall(second, 'second'))).toBe('410 ORIGINAL_ERASED');
});

it('of a subject takes all sessions about them, and forgets the name', async () => {
  const one = await compacted('jane-1', { subject: 'jane' });
  const two = await compacted('jane-2', { subject: 'jane' });
  const other = await compacted('john-1', { subject: 'john' });
  const erasure = read(await erase({ scope: 'subject', target: 'jane' }), erasureSchema, 201);
  expect(erasure).toMatchObject({ target: '', report: { sessions: 2 } });
  expect(shortProblem(await recall(one, 'jane-1'))).toBe('410 ORIGINAL_ERASED');
  expect(shortProblem(await recall(two, 'jane-2'))).toBe('410 ORIGINAL_ERASED');
  expect((await recall(other, 'john-1')).status).toBe(200);
  expect(read(await erase({ scope: 'subject', target: 'jane' }), erasureSchema, 201).report.sessions).toBe(0);
});

it('is no hindrance to going on: a session that comes again begins anew', async () => {
  const before = await compacted('again');
  await erase({ scope: 'session', target: before.sessionId });
  const after = await compacted('again');
  expect((await recall(after, 'again')).status).toBe(200);
});

it('needs a key that may, for the agents that it may act for', async () => {
  const session = await compacted('kept');
  const request = { scope: 'session', target: session.sessionId };
  const without = await under.keyWith(acme, ['sessions:write']);
  expect(shortProblem(await erase(request, without))).toBe('403 SCOPE_MISSING');
  const elsewhere = await under.keyWith(acme, ['data:erase'], ['other']);
  expect(shortProblem(await erase(request, elsewhere))).toBe('403 AGENT_NOT_ALLOWED');
  expect(shortProblem(await erase({ scope: 'agent', target: 'bot' }, elsewhere))).toBe('403 AGENT_NOT_ALLOWED');
  expect(shortProblem(await erase({ scope: 'tenant', target: 'acme' }, elsewhere))).toBe('403 AGENT_NOT_ALLOWED');
  expect(shortProblem(await erase(request, under.globex.key))).toBe('404 ERASURE_TARGET_UNKNOWN');
  for (const scope of ['session', 'agent', 'tenant']) {
    expect(shortProblem(await erase({ scope, target: 'nobody' }))).toBe('404 ERASURE_TARGET_UNKNOWN');
  }
  expect((await recall(session, 'kept')).status).toBe(200);
});

it('of a tenant deletes its keys, so that backups are no way back', async () => {
  const session = await compacted('last', { agent: 'other' });
  const erasure = read(await erase({ scope: 'tenant', target: 'acme' }), erasureSchema, 201);
  expect(erasure.report.data_keys).toBe(1);
  expect(shortProblem(await recall(session, 'last', 'other'))).toBe('410 ORIGINAL_ERASED');
  expect(await leftBytes()).toBe(0);
});
