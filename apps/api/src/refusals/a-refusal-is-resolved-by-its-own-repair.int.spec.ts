import {
  compactionSchema,
  previewSchema,
  type RefusalDetailResponse,
  refusalDetailSchema,
  refusalListSchema,
  resolvingSchema,
} from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

const post = (path: string, body: unknown) =>
  send(under.url, 'POST', path, { key: under.acme.key, body: JSON.stringify(body) });
const get = (path: string) => send(under.url, 'GET', path, { key: under.acme.key });

async function putAgent(agent: string, settings: object): Promise<void> {
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', ...settings });
  expect((await send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body })).status).toBeLessThan(300);
}

async function pass(agent: string, session: string, asked: object): Promise<{ id: string; outcome: string }> {
  const accepted = await post('/v1/compactions', { agent, session, budget_tokens: 20_000, ...asked });
  const { id } = read(accepted, compactionSchema, 202);
  return { id, outcome: await runPass(under.database, id) };
}

async function only(agent: string, code?: string): Promise<RefusalDetailResponse> {
  const query = `?agent=${agent}${code === undefined ? '' : `&code=${code}`}`;
  const { items } = read(await get(`/v1/refusals${query}`), refusalListSchema);
  expect(items).toHaveLength(1);
  return detail(items[0]?.id ?? '');
}

const detail = async (id: string) => read(await get(`/v1/refusals/${id}`), refusalDetailSchema);

const line = (n: number) => `The order ${n * 7_919} is on its way to a town of the name ${n * 104_729} in the north. `;
const prose = (from: number, lines: number) => Array.from({ length: lines }, (_, n) => line(from + n)).join('');
const call = (id: string, name: string, argument: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(argument) } }],
});
/** A chat whose bulk are results of one tool. */
const chat = (tool: string, results: number): unknown[] => [
  { role: 'user', content: 'Where are my orders?' },
  ...Array.from({ length: results }, (_, n) => [
    call(`c${n}`, tool, { order: n }),
    { role: 'tool', tool_call_id: `c${n}`, content: prose(n * 40, 40) },
  ]).flat(),
  { role: 'assistant', content: 'They are all on their way.' },
  { role: 'user', content: 'Thank you. And the last one?' },
  { role: 'assistant', content: 'That one too.' },
  { role: 'user', content: 'Good.' },
];
const charge = {
  role: 'tool',
  regenerable: true,
  action: 'charge',
  target: 'cus_19',
  status: 'succeeded',
  content: 'paid',
};

interface Case {
  readonly code: string;
  readonly settings?: object;
  readonly before?: object;
  readonly asked: object;
  /** Turns the newest repairs into the resolution that somebody sends; default: the first one. */
  readonly choose: (refused: RefusalDetailResponse) => object;
  readonly ends: string;
}

/** The repair of a kind, without its words. */
function repairOf({ repairs }: RefusalDetailResponse, kind: string): Record<string, unknown> {
  const repair = repairs.find((one) => one.kind === kind);
  if (repair === undefined) throw new Error(`No ${kind} among ${repairs.map((one) => one.kind).join(', ')}`);
  const { message: _, ...rest } = repair;
  return rest;
}

const inSession = (refused: RefusalDetailResponse) => ({
  session: refused.newest?.session,
  reason: 'its owner looked',
});

const CASES: readonly Case[] = [
  {
    code: 'AMBIGUOUS_ELEMENT',
    asked: { window: [{ id: 'a', role: 'assistant', content: 'The customer wants the blue one.' }] },
    choose: (refused) => ({ ...repairOf(refused, 'mark_element'), ...inSession(refused) }),
    ends: 'unchanged',
  },
  {
    code: 'EFFECT_INCOMPLETE',
    asked: { window: [{ id: 'a', role: 'tool', content: 'sent', regenerable: true, action: 'send_mail' }] },
    choose: (refused) => ({
      ...{ ...repairOf(refused, 'attach_effect'), ...inSession(refused) },
      ...{ target: 'zoe@example.org', status: 'succeeded' },
    }),
    ends: 'unchanged',
  },
  {
    code: 'EFFECT_CONFLICT',
    before: { window: [{ ...charge, id: 'a' }] },
    asked: { window: [{ ...charge, id: 'a', target: 'cus_20' }] },
    choose: (refused) => ({ ...repairOf(refused, 'attach_effect'), ...inSession(refused), status: 'succeeded' }),
    ends: 'unchanged',
  },
  {
    code: 'EFFECT_CONFLICT',
    asked: {
      window: [
        { ...charge, id: 'a', idempotency_key: 'k' },
        { ...charge, id: 'b', idempotency_key: 'k', target: 'cus_20' },
      ],
    },
    choose: (refused) => ({ ...repairOf(refused, 'attach_effect'), ...inSession(refused), status: 'succeeded' }),
    ends: 'unchanged',
  },
  {
    code: 'HANDLE_UNRESOLVED',
    asked: {
      window: [{ id: 'a', role: 'tool', content: null, externalized: true, handle: 's3://x', task_critical: true }],
    },
    choose: (refused) => ({ ...repairOf(refused, 'mark_element'), ...inSession(refused), source: 's3://x' }),
    ends: 'unchanged',
  },
  {
    code: 'BUDGET_UNREACHABLE',
    settings: { recall: 'none' },
    asked: { format: 'openai-chat', budget_tokens: 3_000, window: chat('look_up_order', 6) },
    choose: (refused) => repairOf(refused, 'declare_tool'),
    ends: 'compacted',
  },
  {
    code: 'BUDGET_UNREACHABLE',
    settings: { recall: 'none' },
    asked: { format: 'openai-chat', budget_tokens: 3_000, window: chat('look_up_order', 6) },
    choose: (refused) => repairOf(refused, 'enable_recall'),
    ends: 'compacted',
  },
  ...(['pass', 'session', 'agent'] as const).map((scope): Case => ({
    code: 'BUDGET_UNREACHABLE',
    asked: { format: 'openai-chat', budget_tokens: 1_000, window: [{ role: 'user', content: prose(0, 80) }] },
    choose: (refused) => ({
      ...{ ...repairOf(refused, 'raise_budget'), scope },
      ...(scope === 'session' ? { session: refused.newest?.session } : {}),
    }),
    ends: 'unchanged',
  })),
  {
    code: 'TARGET_UNREACHABLE',
    asked: { format: 'openai-chat', budget_tokens: 9_000, reclaim_target_tokens: 6_000, window: chat('look_up', 4) },
    choose: (refused) => repairOf(refused, 'lower_target'),
    ends: 'compacted',
  },
];

describe.each(CASES.map((one, at) => ({ ...one, agent: `agent-${at}` })))('$code, $ends', (one) => {
  it('is resolved by a repair that it suggests, retried and closed', async () => {
    const { agent, code } = one;
    await putAgent(agent, one.settings ?? {});
    if (one.before !== undefined) await pass(agent, 's', one.before);
    expect((await pass(agent, 's', one.asked)).outcome).toBe('refused');
    const refused = await only(agent);
    expect(refused).toMatchObject({ code, status: 'open', count: 1, sessions: 1 });
    const resolution = one.choose(refused);
    const preview = read(await post(`/v1/refusals/${refused.id}/preview`, resolution), previewSchema);
    expect(preview).toMatchObject({ would_pass: true, session: 's', sessions: 1 });
    expect(await only(agent)).toEqual(refused);

    const resolving = read(await post(`/v1/refusals/${refused.id}/resolve`, resolution), resolvingSchema, 202);
    expect(resolving).toMatchObject({ remaining: 0, refusal: { status: 'open', retries_open: 1 } });
    expect(resolving.retried).toHaveLength(1);
    expect(await runPass(under.database, resolving.retried[0] ?? '')).toBe(one.ends);
    const retry = read(await get(`/v1/compactions/${resolving.retried[0]}`), compactionSchema);
    expect(retry.retry_of).toBe(refused.newest?.compaction_id);
    const closed = await detail(refused.id);
    expect(closed).toMatchObject({ status: 'resolved', retries_open: 0, newest: { status: 'resolved' } });
    expect(closed.steps.items.map(({ kind }) => kind)).toEqual(['resolution', 'resolved']);
    expect(shortProblem(await post(`/v1/refusals/${refused.id}/resolve`, resolution))).toBe('409 REFUSAL_CLOSED');
  });
});

describe('PROOF_FAILED', () => {
  it('wakes somebody, and is closed with a budget in which nothing has to be proven', async () => {
    await putAgent('damaged', { tool_contracts: { look_up: { effect: 'read' } } });
    const first = await pass('damaged', 's', {
      format: 'openai-chat',
      budget_tokens: 3_000,
      window: chat('look_up', 6),
    });
    expect(first.outcome).toBe('compacted');
    const { text } = await get(`/v1/compactions/${first.id}/window`);
    // The store lost what a mark of the window leads to.
    await under.database.withTenant(under.acme.tenantId, async (tx) => {
      await tx.$queryRaw`select set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`;
      await tx.$executeRaw`update handles set handle = 'h_lost' || handle where tenant_id = ${under.acme.tenantId}::uuid`;
    });
    const more = chat('look_up_more', 3).slice(1) as object[];
    const window = [...(JSON.parse(text) as object[]), ...more];
    const asked = { format: 'openai-chat', budget_tokens: 3_500, window };
    expect((await pass('damaged', 's', asked)).outcome).toBe('refused');
    const refused = await only('damaged');
    expect(refused).toMatchObject({
      code: 'PROOF_FAILED',
      severity: 'page',
      cause: expect.stringContaining('V7') as unknown,
    });
    const resolution = { ...repairOf(refused, 'raise_budget'), scope: 'pass' };
    const { retried } = read(await post(`/v1/refusals/${refused.id}/resolve`, resolution), resolvingSchema, 202);
    expect(await runPass(under.database, retried[0] ?? '')).toBe('unchanged');
    expect((await detail(refused.id)).status).toBe('resolved');
  });
});

const odd = (id: string) => ({ window: [{ id, role: 'assistant', content: `The customer wants ${id}.` }] });

describe('a refusal of many sessions', () => {
  it('is closed by one repair of the agent, which retries all of them', async () => {
    await putAgent('many', { recall: 'none' });
    const asked = { format: 'openai-chat', budget_tokens: 3_000, window: chat('look_up_order', 6) };
    for (const session of ['a', 'b', 'c']) expect((await pass('many', session, asked)).outcome).toBe('refused');
    // One of them goes on meanwhile, and passes: there is nothing to retry for it.
    const short = [{ role: 'user', content: 'never mind' }];
    expect((await pass('many', 'c', { format: 'openai-chat', window: short })).outcome).toBe('unchanged');
    const refused = await only('many');
    expect(refused).toMatchObject({ count: 3, sessions: 3, tools: ['look_up_order'] });
    const resolution = repairOf(refused, 'declare_tool');
    const { retried } = read(await post(`/v1/refusals/${refused.id}/resolve`, resolution), resolvingSchema, 202);
    expect(retried).toHaveLength(2);
    for (const id of retried) expect(await runPass(under.database, id)).toBe('compacted');
    expect(await detail(refused.id)).toMatchObject({ status: 'resolved', retries_open: 0 });
  });

  it('stays open where a repair was none, and says so; the session stays usable', async () => {
    await putAgent('twice', {});
    await pass('twice', 'a', odd('x'));
    await pass('twice', 'b', odd('y'));
    const refused = await only('twice');
    await post(`/v1/refusals/${refused.id}/acknowledge`, {});
    const retry = { kind: 'retry', session: 'a', reason: 'perhaps it was the weather' };
    expect(read(await post(`/v1/refusals/${refused.id}/preview`, retry), previewSchema).would_pass).toBe(false);
    const { retried } = read(await post(`/v1/refusals/${refused.id}/resolve`, retry), resolvingSchema, 202);
    expect(await runPass(under.database, retried[0] ?? '')).toBe('refused');
    const again = await detail(refused.id);
    expect(again).toMatchObject({ status: 'open', count: 3, sessions: 2, retries_open: 0, resolution: null });
    expect(again.steps.items.map(({ kind }) => kind)).toEqual(['acknowledged', 'resolution', 'refused_again']);
    const usable = await pass('twice', 'a', {
      window: [{ id: 'u', role: 'user', content: 'on', task_critical: true }],
    });
    expect(usable.outcome).toBe('unchanged');

    const keep = (session: string, element: string) => ({
      ...{ kind: 'externalize_element', session, element_id: element, reason: 'it matters' },
    });
    const one = read(await post(`/v1/refusals/${refused.id}/resolve`, keep('b', 'y')), resolvingSchema, 202);
    expect(await runPass(under.database, one.retried[0] ?? '')).toBe('unchanged');
    expect(await detail(refused.id)).toMatchObject({ status: 'open', resolution: null });
    // The newest window of the other one passed meanwhile.
    const rest = { kind: 'retry', reason: 'all done' };
    expect(read(await post(`/v1/refusals/${refused.id}/resolve`, rest), resolvingSchema, 202)).toMatchObject({
      ...{ retried: [], refusal: { status: 'resolved' } },
    });
  });
});

describe('what a resolution names', () => {
  it('must be there', async () => {
    await putAgent('names', {});
    await pass('names', 'a', odd('x'));
    const { id } = await only('names');
    const path = `/v1/refusals/${id}/resolve`;
    const mark = { kind: 'externalize_element', session: 'a', element_id: 'x', reason: 'r' };
    expect(shortProblem(await post(path, { ...mark, session: 'z' }))).toBe('404 SESSION_UNKNOWN');
    expect(shortProblem(await post(path, { ...mark, element_id: 'z' }))).toBe('404 ELEMENT_UNKNOWN');
    const release = { kind: 'release_record', session: 'a', ref: 'R9', reason: 'r' };
    expect(shortProblem(await post(path, release))).toBe('404 RECORD_UNKNOWN');
    const adopt = { kind: 'adopt_best_proven', compaction: id };
    expect(shortProblem(await post(path, adopt))).toBe('404 COMPACTION_UNKNOWN');
    const flags = { kind: 'mark_element', session: 'a', element_id: 'x', set: { regenerable: true }, reason: 'r' };
    expect(shortProblem(await post(path, flags))).toBe('422 FIELD_MISSING /source');
    expect(shortProblem(await post(path, { ...mark, reason: undefined }))).toBe('422 FIELD_MISSING /reason');
    const contract = { effect: 'read', key: ['$.x'] };
    expect(shortProblem(await post(path, { kind: 'declare_tool', tool: 't', contract }))).toMatch(
      /^422 KEY_WITHOUT_EFFECT/u,
    );
    expect((await detail(id)).steps.items).toEqual([]);
  });
});

describe('a released record', () => {
  it('is let go by a resolution, audited, and carried no more', async () => {
    await putAgent('rules', { tool_contracts: { look_up: { effect: 'read' } } });
    const rule = { role: 'user', content: `Never ship to ${prose(0, 70)}` };
    const [first, ...rest] = chat('look_up', 6) as object[];
    const asked = { format: 'openai-chat', budget_tokens: 5_000 };
    const before = await pass('rules', 's', { ...asked, window: [rule, first, ...rest] });
    expect(before.outcome).toBe('compacted');
    // The caller forgets the rule: it stands in the pinned block from now on, and that has no room.
    const refused = await pass('rules', 's', { ...asked, budget_tokens: 1_500, window: [first, ...rest] });
    expect(refused.outcome).toBe('refused');
    const group = await only('rules');
    expect(group.code).toBe('BUDGET_UNREACHABLE');
    const records = JSON.parse((await get('/v1/agents/rules/sessions/s/records')).text) as { items: { ref: string }[] };
    const ref = records.items[0]?.ref ?? '';
    const release = { kind: 'release_record', session: 's', ref, reason: 'the rule is history' };
    expect(read(await post(`/v1/refusals/${group.id}/preview`, release), previewSchema).would_pass).toBe(true);
    const { retried } = read(await post(`/v1/refusals/${group.id}/resolve`, release), resolvingSchema, 202);
    expect(await runPass(under.database, retried[0] ?? '')).toBe('compacted');
    expect((await detail(group.id)).status).toBe('resolved');
    const logged = await under.database.withTenant(under.acme.tenantId, (tx) =>
      tx.auditLog.findMany({ where: { action: 'refusal.resolution', subject: group.id } }),
    );
    expect(logged.map((row) => row.detail)).toMatchObject([{ resolution: 'release_record', ref }]);
  });
});

describe('the best proven window', () => {
  it('is adopted as a resolution, which closes the refusal', async () => {
    await putAgent('best', { tool_contracts: { look_up: { effect: 'read' } } });
    const window = [{ role: 'user', content: prose(0, 80) }, ...(chat('look_up', 4) as object[])];
    const asked = { format: 'openai-chat', budget_tokens: 1_000, window };
    const { id, outcome } = await pass('best', 's', asked);
    expect(outcome).toBe('refused');
    const group = await only('best');
    const adopt = { kind: 'adopt_best_proven', compaction: id };
    expect(read(await post(`/v1/refusals/${group.id}/preview`, adopt), previewSchema)).toMatchObject({
      ...{ would_pass: true, plan: null },
    });
    expect(read(await post(`/v1/refusals/${group.id}/resolve`, adopt), resolvingSchema, 202)).toMatchObject({
      ...{ retried: [], refusal: { status: 'resolved', resolution: 'adopt_best_proven' } },
    });
    expect(read(await get(`/v1/compactions/${id}`), compactionSchema)).toMatchObject({
      best_proven: { adopted_at: expect.any(String) as unknown },
    });
  });
});
