import {
  compactionSchema,
  refusalDetailSchema,
  refusalGroupSchema,
  refusalListSchema,
  type RefusalListResponse,
} from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  for (const agent of ['first', 'second']) {
    const body = JSON.stringify({ mode: 'enforce', recall: 'none' });
    await send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body });
  }
  await refuse('first', 'a', AMBIGUOUS);
  await refuse('first', 'b', AMBIGUOUS);
  await refuse('second', 'c', AMBIGUOUS);
  await refuse('second', 'd', INCOMPLETE);
});

afterAll(() => under.close());

const AMBIGUOUS = [{ id: 'a', role: 'assistant', content: 'The customer wants the blue one.' }];
const INCOMPLETE = [{ id: 'a', role: 'tool', content: 'sent', regenerable: true, action: 'send_mail' }];

async function refuse(agent: string, session: string, window: unknown): Promise<void> {
  const body = JSON.stringify({ agent, session, budget_tokens: 20_000, window });
  const { id } = read(
    await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
    compactionSchema,
    202,
  );
  expect(await runPass(under.database, id)).toBe('refused');
}

const get = (path: string, key = under.acme.key) => send(under.url, 'GET', path, { key });
const post = (path: string, body: unknown, key = under.acme.key) =>
  send(under.url, 'POST', path, { key, body: JSON.stringify(body) });
const list = async (query = ''): Promise<RefusalListResponse> =>
  read(await get(`/v1/refusals${query}`), refusalListSchema);

describe('the list of refusals', () => {
  it('has one row for each agent, code and cause, the newest first, with counts for each filter', async () => {
    const { items, facets } = await list();
    expect(items.map(({ agent, code, count, sessions }) => [agent, code, count, sessions])).toEqual([
      ['second', 'EFFECT_INCOMPLETE', 1, 1],
      ['second', 'AMBIGUOUS_ELEMENT', 1, 1],
      ['first', 'AMBIGUOUS_ELEMENT', 2, 2],
    ]);
    expect(facets.code).toEqual([
      { value: 'AMBIGUOUS_ELEMENT', count: 2 },
      { value: 'EFFECT_INCOMPLETE', count: 1 },
    ]);
    expect(facets.agent).toEqual([
      { value: 'second', count: 2 },
      { value: 'first', count: 1 },
    ]);
  });

  it('is filtered, and a facet counts under the other filters', async () => {
    const { items, facets } = await list('?agent=second&code=AMBIGUOUS_ELEMENT');
    expect(items).toHaveLength(1);
    expect(facets.code).toHaveLength(2);
    expect((await list('?severity=page')).items).toEqual([]);
  });

  it('comes in pages without a gap or a double', async () => {
    const ids: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: RefusalListResponse = await list(`?limit=1${next === '' ? '' : `&cursor=${next}`}`);
      ids.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
    expect(ids).toEqual((await list()).items.map(({ id }) => id));
    expect(shortProblem(await get('/v1/refusals?cursor=x'))).toBe('422 FIELD_INVALID /cursor');
  });

  it('shows a key no more than its agents, and another tenant nothing', async () => {
    const narrow = await under.keyWith(under.acme, ['refusals:read'], ['first']);
    const shown = read(await get('/v1/refusals', narrow), refusalListSchema);
    expect(shown.items.map(({ agent }) => agent)).toEqual(['first']);
    const [other] = (await list('?agent=second')).items;
    expect(shortProblem(await get(`/v1/refusals/${other?.id}`, narrow))).toBe('404 REFUSAL_UNKNOWN');
    expect(shortProblem(await get(`/v1/refusals/${other?.id}`, under.globex.key))).toBe('404 REFUSAL_UNKNOWN');
    expect(read(await get('/v1/refusals', under.globex.key), refusalListSchema).items).toEqual([]);
  });
});

describe('somebody who works on a refusal', () => {
  const idOf = async (agent: string): Promise<string> =>
    (await list(`?agent=${agent}&code=AMBIGUOUS_ELEMENT`)).items[0]?.id ?? '';

  it('finds its newest evidence, the passes that it stopped, and their repairs', async () => {
    const detail = read(await get(`/v1/refusals/${await idOf('first')}`), refusalDetailSchema);
    expect(detail.newest).toMatchObject({ session: 'b', refusal: { code: 'AMBIGUOUS_ELEMENT' } });
    expect(detail.members.items.map(({ session }) => session)).toEqual(['b', 'a']);
    expect(detail.repairs.map(({ kind }) => kind)).toEqual(['mark_element', 'mark_element']);
    expect(detail.steps.items).toEqual([]);
  });

  it('acknowledges, assigns and comments it, and each stays in its history', async () => {
    const path = `/v1/refusals/${await idOf('first')}`;
    expect(read(await post(`${path}/acknowledge`, { comment: 'looking' }), refusalGroupSchema)).toMatchObject({
      status: 'acknowledged',
      acknowledged_at: expect.any(String) as unknown,
    });
    expect(read(await post(`${path}/assign`, { assignee: 'Zoé' }), refusalGroupSchema).assignee).toBe('Zoé');
    read(await post(`${path}/comment`, { comment: 'asked the \u0000 team' }), refusalGroupSchema);
    const { steps } = read(await get(path), refusalDetailSchema);
    expect(steps.items.map(({ kind, comment, detail }) => [kind, comment, detail])).toEqual([
      ['acknowledged', 'looking', {}],
      ['assigned', null, { assignee: 'Zoé' }],
      ['commented', 'asked the \u0000 team', {}],
    ]);
    expect((await list(`?assignee=${encodeURIComponent('Zoé')}`)).items).toHaveLength(1);
    const logged = await under.database.withTenant(under.acme.tenantId, (tx) =>
      tx.auditLog.findMany({ where: { action: { startsWith: 'refusal.' } }, orderBy: { id: 'asc' } }),
    );
    expect(logged.map(({ action }) => action)).toEqual([
      'refusal.acknowledged',
      'refusal.assigned',
      'refusal.commented',
    ]);
  });

  it('dismisses it with a reason, once', async () => {
    const path = `/v1/refusals/${await idOf('second')}`;
    expect(shortProblem(await post(`${path}/dismiss`, {}))).toBe('422 FIELD_MISSING /reason');
    expect(read(await post(`${path}/dismiss`, { reason: 'a demo' }), refusalGroupSchema).status).toBe('dismissed');
    expect(shortProblem(await post(`${path}/dismiss`, { reason: 'again' }))).toBe('409 REFUSAL_CLOSED');
    expect(shortProblem(await post(`${path}/acknowledge`, {}))).toBe('409 REFUSAL_CLOSED');
    read(await post(`${path}/comment`, { comment: 'it was' }), refusalGroupSchema);
  });

  it('needs the scope for it', async () => {
    const reader = await under.keyWith(under.acme, ['refusals:read']);
    const answer = await post(`/v1/refusals/${await idOf('first')}/comment`, { comment: 'x' }, reader);
    expect(shortProblem(answer)).toBe('403 SCOPE_MISSING');
  });
});
