import { agentSchema, draftsSchema, lintFindingsSchema, packListSchema, suggestionsSchema } from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

function call(method: string, path: string, body?: unknown, key = under.acme.key) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(under.url, method, path, body === undefined ? { key } : { key, body: text });
}

const SETTINGS = { mode: 'enforce', recall: 'tool' };
const TOOLS = [
  { name: 'cancel_order', inputSchema: { properties: { order_id: {} }, required: ['order_id'] } },
  { name: 'get_order', description: 'Get an order.', inputSchema: { properties: { order_id: {} } } },
];

function window(tool: string, result: string): readonly unknown[] {
  const made = { id: 'c1', type: 'function', function: { name: tool, arguments: '{"order_id":"W1"}' } };
  return [
    { role: 'user', content: 'Please.' },
    { role: 'assistant', content: null, tool_calls: [made] },
    { role: 'tool', tool_call_id: 'c1', content: result },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
  ];
}

async function store(agent: string, session: string, messages: readonly unknown[]): Promise<void> {
  const answer = await call('POST', '/v1/compactions', { agent, session, budget_tokens: 10_000, window: messages });
  expect(answer.status).toBe(202);
}

describe('packs', () => {
  it('are listed with their contracts and where they come from', async () => {
    const { items } = read(await call('GET', '/v1/packs'), packListSchema);
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude-code', 'codex', 'mcp-github']));
    expect(items.every(({ source, version }) => source !== '' && version > 0)).toBe(true);
  });

  it('are in force for the agent whose owner names them, and the own contracts go before them', async () => {
    const packs = [{ name: 'claude-code' }, { name: 'mcp-fetch', prefix: 'mcp__web__' }];
    const body = { ...SETTINGS, packs, tool_contracts: { Bash: { effect: 'write' } } };
    const agent = read(await call('PUT', '/v1/agents/packed', body), agentSchema, 201);
    expect(agent.packs).toEqual([
      { name: 'claude-code', version: 1, prefix: '' },
      { name: 'mcp-fetch', version: 1, prefix: 'mcp__web__' },
    ]);
    expect(agent.tool_contracts).toMatchObject({
      Read: { effect: 'read' },
      mcp__web__fetch: { effect: 'read' },
      Bash: { effect: 'write' },
    });
    expect(read(await call('GET', '/v1/agents/packed'), agentSchema)).toEqual(agent);
    const again = read(await call('PUT', '/v1/agents/packed', body), agentSchema);
    expect(again.policy_version).toBe(1);
    const without = read(await call('PUT', '/v1/agents/packed', SETTINGS), agentSchema);
    expect(without).toMatchObject({ policy_version: 2, packs: [], tool_contracts: {} });
  });

  it('that there are not, are named', async () => {
    const packs = [{ name: 'claude-code' }, { name: 'claude' }];
    expect(shortProblem(await call('PUT', '/v1/agents/packed', { ...SETTINGS, packs }))).toBe(
      '422 PACK_UNKNOWN /packs/1/name',
    );
  });
});

describe('contracts', () => {
  it('are drafted from definitions', async () => {
    const { drafts } = read(await call('POST', '/v1/contracts/import', { tools: TOOLS }), draftsSchema);
    expect(drafts.map(({ tool, contract }) => [tool, contract])).toEqual([
      ['cancel_order', { effect: 'unproven', target: ['$.order_id'] }],
      ['get_order', { effect: 'unproven', target: ['$.order_id'] }],
    ]);
  });

  it('are linted, right or wrong', async () => {
    const contracts = { cancel_order: { effect: 'write', key: ['$.orderid'], tagret: [] }, get_order: 7 };
    const body = { tool_contracts: contracts, tools: { tools: TOOLS } };
    const { findings } = read(await call('POST', '/v1/contracts/lint', body), lintFindingsSchema);
    expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'FIELD_UNKNOWN /cancel_order/tagret',
      'FIELD_WRONG_TYPE /get_order',
      'WRITE_WITHOUT_TARGET /cancel_order',
      'PATH_MATCHES_NOTHING /cancel_order/key/0',
      'TOOL_UNDECLARED /get_order',
    ]);
  });

  it('of a tool whose name would be lost are refused, and linted all the same', async () => {
    const text = '{"__proto__":{"effect":"reed"}}';
    const put = `{"mode":"enforce","recall":"tool","tool_contracts":${text}}`;
    expect(shortProblem(await call('PUT', '/v1/agents/odd', put))).toBe('422 FIELD_INVALID /tool_contracts/__proto__');
    const { findings } = read(
      await call('POST', '/v1/contracts/lint', `{"tool_contracts":${text}}`),
      lintFindingsSchema,
    );
    expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(['EFFECT_UNKNOWN /__proto__/effect']);
  });

  it.each([
    ['/v1/contracts/import', {}, '422 FIELD_WRONG_TYPE /tools'],
    ['/v1/contracts/lint', { tool_contracts: {}, x: 1 }, '422 FIELD_UNKNOWN /x'],
    ['/v1/contracts/lint', '{', '400 BODY_NOT_JSON'],
  ])('%s takes no %j', async (path, body, expected) => {
    expect(shortProblem(await call('POST', path, body))).toBe(expected);
  });
});

describe('suggestions', () => {
  const path = '/v1/agents/shop/contracts/suggest';

  it('come from the calls of stored sessions', async () => {
    read(
      await call('PUT', '/v1/agents/shop', { ...SETTINGS, tool_contracts: { a: { effect: 'read' } } }),
      agentSchema,
      201,
    );
    await store('shop', 's-1', window('get_order', '{"status":"open"}'));
    await store('shop', 's-2', window('cancel_order', 'Order W1 cancelled'));
    const answer = read(await call('POST', path, { tools: TOOLS }), suggestionsSchema);
    expect([...answer.sessions].sort()).toEqual(['s-1', 's-2']);
    expect(
      answer.proposals.map(({ tool, contract, calls, declared }) => [tool, contract.effect, calls, declared]),
    ).toEqual([
      ['cancel_order', 'write', 1, false],
      ['get_order', 'read', 1, false],
    ]);
    const one = read(await call('POST', path, { sessions: ['s-1'] }), suggestionsSchema);
    expect(one.proposals.map(({ tool }) => tool)).toEqual(['get_order']);
    expect(one.proposals[0]?.evidence.length).toBeGreaterThan(0);
  });

  it('change nothing of the agent', async () => {
    expect(read(await call('GET', '/v1/agents/shop'), agentSchema)).toMatchObject({ policy_version: 1 });
  });

  it('are the own tenant’s, of sessions and agents that there are', async () => {
    expect(shortProblem(await call('POST', path, {}, under.globex.key))).toBe('404 AGENT_UNKNOWN');
    expect(shortProblem(await call('POST', '/v1/agents/nobody/contracts/suggest', {}))).toBe('404 AGENT_UNKNOWN');
    expect(shortProblem(await call('POST', path, { sessions: ['none'] }))).toBe('404 SESSION_UNKNOWN');
    expect(shortProblem(await call('POST', path, { sessions: [] }))).toBe('422 FIELD_OUT_OF_RANGE /sessions');
  });
});
