import { agentPageSchema, agentSchema } from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

function put(agent: string, settings: unknown) {
  return send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body: JSON.stringify(settings) });
}

const SETTINGS = { mode: 'enforce', recall: 'tool' };

describe('an agent', () => {
  it('is created with defaults, and replaced with a new version', async () => {
    const created = read(await put('bot', SETTINGS), agentSchema, 201);
    expect(created).toMatchObject({
      agent: 'bot',
      policy: {
        on_ambiguous: null,
        aim_share: 0.6,
        min_gain_share: 0.02,
        pinned_block_tokens: 1_500,
        tail_messages: 2,
      },
      policy_version: 1,
    });
    const contracts = { get_order: { effect: 'read' }, cancel: { effect: 'write', key: ['$.order_id'] } };
    const changed = read(
      await put('bot', { ...SETTINGS, policy: { on_ambiguous: 'hold', aim_share: 0.5 }, tool_contracts: contracts }),
      agentSchema,
    );
    expect(changed).toMatchObject({ policy_version: 2, tool_contracts: contracts, policy: { on_ambiguous: 'hold' } });
    const found = await send(under.url, 'GET', '/v1/agents/bot', { key: under.acme.key });
    expect(read(found, agentSchema)).toEqual(changed);
  });

  it('must say mode and recall', async () => {
    expect(shortProblem(await put('bot-2', {}))).toBe('422 FIELD_MISSING /mode /recall');
    expect(shortProblem(await put('bot-2', { mode: 'later', recall: true }))).toBe('422 FIELD_INVALID /mode /recall');
  });

  it('is told what is wrong with its policy and contracts, with a path each', async () => {
    const policy = { aim_share: 2, tail_messages: -1, tail: 1 };
    expect(shortProblem(await put('bot-3', { ...SETTINGS, policy }))).toBe(
      '422 FIELD_OUT_OF_RANGE /policy/aim_share /policy/tail_messages /policy/tail',
    );
    const contracts = {
      'a/b': { effect: 'read', key: ['$.x'] },
      c: { effect: 'write', target: ['$.['], outcome: { failed_when: [{}, { matches: '(a+)+$' }] } },
    };
    expect(shortProblem(await put('bot-3', { ...SETTINGS, tool_contracts: contracts }))).toBe(
      '422 KEY_WITHOUT_EFFECT /tool_contracts/a~1b/key /tool_contracts/c/target/0 /tool_contracts/c/outcome/failed_when/0 /tool_contracts/c/outcome/failed_when/1/matches',
    );
    const unknown = await send(under.url, 'GET', '/v1/agents/bot-3', { key: under.acme.key });
    expect(shortProblem(unknown)).toBe('404 AGENT_UNKNOWN');
  });

  it('has a name that fits a path', async () => {
    expect(shortProblem(await put('%20', SETTINGS))).toBe('422 FIELD_INVALID /agent');
    expect(shortProblem(await put('%00', SETTINGS))).toBe('422 FIELD_INVALID /agent');
    expect(shortProblem(await put('a'.repeat(201), SETTINGS))).toBe('422 FIELD_INVALID /agent');
    const odd = await send(under.url, 'GET', '/v1/agents/%00', { key: under.acme.key });
    expect(shortProblem(odd)).toBe('404 AGENT_UNKNOWN');
  });

  it('is its tenant’s alone', async () => {
    await put('secret', SETTINGS);
    const answer = await send(under.url, 'GET', '/v1/agents/secret', { key: under.globex.key });
    expect(shortProblem(answer)).toBe('404 AGENT_UNKNOWN');
  });
});

describe('the list of agents', () => {
  it('is paged by name', async () => {
    for (const name of ['l-1', 'l-2', 'l-3']) await put(name, SETTINGS);
    const names: string[] = [];
    let cursor = '';
    do {
      const answer = await send(under.url, 'GET', `/v1/agents?limit=2${cursor}`, { key: under.acme.key });
      const page = read(answer, agentPageSchema);
      expect(page.items.length).toBeLessThanOrEqual(2);
      names.push(...page.items.map(({ agent }) => agent));
      cursor = page.next === null ? '' : `&cursor=${encodeURIComponent(page.next)}`;
    } while (cursor !== '');
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(['l-1', 'l-2', 'l-3']));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['limit=0', '422 FIELD_OUT_OF_RANGE /limit'],
    ['limit=201', '422 FIELD_OUT_OF_RANGE /limit'],
    ['limit=many', '422 FIELD_WRONG_TYPE /limit'],
    ['cursor=%21%21', '422 FIELD_INVALID /cursor'],
    ['page=2', '422 FIELD_UNKNOWN /page'],
    ['limit=1&limit=2', '422 FIELD_WRONG_TYPE /limit'],
  ])('takes no %s', async (query, expected) => {
    expect(shortProblem(await send(under.url, 'GET', `/v1/agents?${query}`, { key: under.acme.key }))).toBe(expected);
  });
});
