import { compactionSchema, recordedOutcomesSchema, type StatsResponse, statsSchema } from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;
let passId: string;

async function compacted(session: string, budget: number): Promise<string> {
  const body = `{"agent":"bot","session":"${session}","budget_tokens":${String(budget)},"window":${orderWindow(30)}}`;
  const answer = await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body });
  const { id } = read(answer, compactionSchema, 202);
  await runPass(under.database, id);
  return id;
}

async function record(body: unknown, key = under.acme.key) {
  return send(under.url, 'POST', '/v1/tool-outcomes', { key, body: JSON.stringify(body) });
}

async function recorded(body: unknown) {
  return read(await record(body), recordedOutcomesSchema).items;
}

async function stats(series: string, query = '', key = under.acme.key): Promise<StatsResponse> {
  return read(await send(under.url, 'GET', `/v1/stats/${series}${query}`, { key }), statsSchema);
}

/** Sums of the series of an answer. */
function sums({ series }: StatsResponse): Readonly<Record<string, number>> {
  return Object.fromEntries(series.map(({ name, points }) => [name, points.reduce((sum, [, n]) => sum + (n ?? 0), 0)]));
}

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  await send(under.url, 'PUT', '/v1/agents/calm', { key: under.acme.key, body });
  passId = await compacted('one', 4_000);
  await compacted('two', 20);
});

afterAll(() => under.close());

const OUTCOME = { agent: 'bot', session: 'one', tool: 'get_order', outcome: 'succeeded' };

it('links what tools answered to the pass before, and counts the calls since', async () => {
  const [first] = await recorded({ ...OUTCOME, call_id: 'k1' });
  expect(first).toMatchObject({ repeated: false, compaction_id: passId, since_pass: 1 });
  const batch = [
    { ...OUTCOME, call_id: 'k1' },
    { ...OUTCOME, call_id: 'k2', outcome: 'rejected', code: 'UNKNOWN_ID' },
    { ...OUTCOME, call_id: 'k2', outcome: 'rejected' },
    { ...OUTCOME, call_id: 'k3', outcome: 'failed' },
    { ...OUTCOME, call_id: 'k4', outcome: 'rejected' },
    { ...OUTCOME, session: 'never compacted', call_id: 'k1' },
  ];
  const told = (await recorded({ outcomes: batch })).map(({ repeated, since_pass: since }) => [repeated, since]);
  expect(told).toEqual([
    [true, 1],
    [false, 2],
    [true, 2],
    [false, 3],
    [false, 4],
    [false, null],
  ]);
  expect((await recorded({ ...OUTCOME, call_id: 'k1' }))[0]?.id).toBe(first?.id);
  expect(sums(await stats('tool-outcomes'))).toEqual({ rejected: 2, failed: 1, succeeded: 2 });
});

it('takes outcomes without a call id each for one of their own, and none of before the pass for one after it', async () => {
  const old = { ...OUTCOME, session: 'two', at: '2026-01-01T00:00:00Z' };
  const items = await recorded({ outcomes: [old, old] });
  expect(items.map(({ repeated, compaction_id: pass }) => [repeated, pass])).toEqual([
    [false, null],
    [false, null],
  ]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
});

it('counts the same outcomes once, sent by many at the same time', async () => {
  const outcomes = Array.from({ length: 20 }, (_, n) => ({ ...OUTCOME, session: `s${n % 4}`, call_id: `c${n}` }));
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => recorded({ outcomes: n % 2 === 0 ? outcomes : outcomes.toReversed() })),
  );
  expect(answers.flat().filter(({ repeated }) => !repeated)).toHaveLength(20);
});

it('records all of a batch or none, and says which is wrong', async () => {
  const [{ n: before } = { n: -1 }] = await under.database.withTenant(
    under.acme.tenantId,
    (tx) => tx.$queryRaw<{ n: number }[]>`select count(*)::int as n from tool_outcomes`,
  );
  expect(shortProblem(await record({ outcomes: [OUTCOME, { ...OUTCOME, outcome: 'odd' }] }))).toMatch(
    /^422 FIELD_\w+ \/outcomes\/1\/outcome$/u,
  );
  expect(shortProblem(await record({ outcomes: [OUTCOME, { ...OUTCOME, agent: 'nobody' }] }))).toBe(
    '404 AGENT_UNKNOWN',
  );
  expect((await record({ outcomes: Array.from({ length: 1_001 }, () => OUTCOME) })).status).toBe(422);
  const bound = await under.keyWith(under.acme, ['outcomes:write'], ['calm']);
  expect(shortProblem(await record(OUTCOME, bound))).toBe('403 AGENT_NOT_ALLOWED');
  const [{ n: after } = { n: -2 }] = await under.database.withTenant(
    under.acme.tenantId,
    (tx) => tx.$queryRaw<{ n: number }[]>`select count(*)::int as n from tool_outcomes`,
  );
  expect(after).toBe(before);
});

it('answers ready buckets with explicit zeros, and says until when they are complete', async () => {
  const answer = await stats('passes', '?bucket=1h');
  expect(answer).toMatchObject({ bucket: '1h', tz: 'UTC', source: 'facts' });
  for (const { points } of answer.series) {
    expect([24, 25]).toContain(points.length);
    points.forEach(([at], index) => expect(at).toBe(Date.parse(answer.range.from) + index * 3_600_000));
  }
  expect(sums(answer)).toEqual({ compacted: 1, unchanged: 0, refused: 1, failed: 0, superseded: 0, open: 0 });
  const behind = Date.now() - Date.parse(answer.complete_until);
  expect(behind).toBeGreaterThan(0);
  // A bucket that has not begun is a gap, not a zero.
  const ahead = await stats(
    'passes',
    `?from=${encodeURIComponent(new Date(Date.now() + 7_200_000).toISOString())}&to=${encodeURIComponent(new Date(Date.now() + 14_400_000).toISOString())}`,
  );
  expect(new Set(ahead.series.flatMap(({ points }) => points.map(([, n]) => n)))).toEqual(new Set([null]));
});

it('reads every series, for the tenant and for one agent', async () => {
  const counts = read(
    await send(under.url, 'GET', `/v1/compactions/${passId}`, { key: under.acme.key }),
    compactionSchema,
  );
  const tokens = sums(await stats('tokens'));
  expect(tokens.before).toBeGreaterThan(tokens.after ?? 0);
  expect(counts.outcome).toBe('compacted');
  expect(sums(await stats('refusals'))).toEqual({ BUDGET_UNREACHABLE: 1 });
  expect(sums(await stats('ledger'))).toMatchObject({ succeeded: 2, failed: 0 });
  expect(sums(await stats('classes')).reclaim).toBeGreaterThan(0);
  expect((await stats('drift')).series).toEqual([]);
  expect(sums(await stats('duplicates'))).toEqual({ double_execution_blocked: 0 });
  const latency = await stats('latency');
  expect(latency.series.map(({ name }) => name)).toContain('verify p95');
  const waits = await stats('queue-wait');
  expect(waits.series.map(({ name }) => name)).toEqual(['queue wait p50', 'queue wait p95', 'queue wait p99']);
  expect(waits.series.every(({ points }) => points.filter(([, n]) => n !== null).length === 1)).toBe(true);
  expect(sums(await stats('passes', '?agent=calm'))).toMatchObject({ compacted: 0, refused: 0 });
  expect(sums(await stats('passes', '?agent=bot'))).toMatchObject({ compacted: 1, refused: 1 });
});

it('counts rejections and blocked duplicates by what came before them', async () => {
  const claim = (attempt: string) =>
    send(under.url, 'POST', '/v1/effects/claim', {
      key: under.acme.key,
      body: JSON.stringify({
        ...{
          agent: 'bot',
          session: 'one',
          tool: 'cancel_order',
          arguments: { order_id: 'W1003' },
          attempt_id: attempt,
        },
      }),
    });
  // The window has shown that it succeeded.
  expect((await claim('a1')).text).toContain('"duplicate"');
  const { series, since_pass: spans } = await stats('after-passes');
  expect(series.map(({ name }) => name)).toEqual(['rejected', 'failed', 'succeeded', 'double_execution_blocked']);
  const of = (name: string, by: string) => spans?.find((span) => span.name === name && span.by === by)?.counts;
  expect(of('rejected', 'calls')).toEqual({ '0-1': 0, '2-5': 2, '6-20': 0, '>20': 0 });
  expect(of('double_execution_blocked', 'calls')).toEqual({ '0-1': 0, '2-5': 1, '6-20': 0, '>20': 0 });
  expect(of('double_execution_blocked', 'minutes')).toMatchObject({ '5-30': 0, '>30': 0 });
});

it('shows a key its tenant and its agents alone, and refuses what it does not know', async () => {
  expect(sums(await stats('passes', '', under.globex.key))).toMatchObject({ compacted: 0, refused: 0 });
  const bound = await under.keyWith(under.acme, ['stats:read'], ['calm']);
  expect(sums(await stats('passes', '', bound))).toMatchObject({ compacted: 0, refused: 0 });
  const get = (path: string, key = under.acme.key) => send(under.url, 'GET', `/v1/stats/${path}`, { key });
  expect(shortProblem(await get('passes?agent=bot', bound))).toBe('403 AGENT_NOT_ALLOWED');
  expect(shortProblem(await get('weather'))).toBe('404 SERIES_UNKNOWN');
  expect(shortProblem(await get('passes?from=2026-11-01T00:00:00Z&bucket=1m'))).toBe('422 FIELD_OUT_OF_RANGE /bucket');
  expect((await get('passes?from=yesterday')).status).toBe(422);
});
