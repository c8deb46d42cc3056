import { parseJson } from '../json';
import { draftContracts } from './draft-contracts';
import { readToolDefinitions } from './tool-definition';

const SCHEMA = { type: 'object', properties: { order_id: { type: 'string' }, note: {} }, required: ['order_id'] };

const read = (document: unknown) => readToolDefinitions(parseJson(JSON.stringify(document)));
const draft = (document: unknown) => draftContracts(read(document));

it.each([
  ['openai-chat', { tools: [{ type: 'function', function: { name: 'get_order', parameters: SCHEMA } }] }],
  ['openai-chat', { functions: [{ name: 'get_order', parameters: SCHEMA }] }],
  ['openai-responses', { tools: [{ type: 'function', name: 'get_order', parameters: SCHEMA }] }],
  ['anthropic', { tools: [{ name: 'get_order', input_schema: SCHEMA }] }],
  ['gemini', { tools: [{ functionDeclarations: [{ name: 'get_order', parameters: SCHEMA }] }] }],
  ['gemini', { tools: [{ function_declarations: [{ name: 'get_order', parametersJsonSchema: SCHEMA }] }] }],
  ['bedrock-converse', { toolConfig: { tools: [{ toolSpec: { name: 'get_order', inputSchema: { json: SCHEMA } } }] } }],
  ['mcp', { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'get_order', inputSchema: SCHEMA }] } }],
  ['mcp', { tools: [{ name: 'get_order', inputSchema: SCHEMA }] }],
  ['anthropic', [{ name: 'get_order', input_schema: SCHEMA }]],
  ['anthropic', { request: { tools: [{ name: 'get_order', input_schema: SCHEMA }] }, response: {} }],
])('%s', (shape, document) => {
  expect(read(document)).toMatchObject([{ name: 'get_order', shape }]);
  expect(draft(document)).toMatchObject([
    { tool: 'get_order', contract: { effect: 'unproven', target: ['$.order_id'] } },
  ]);
});

it('what a server says of its tool is a caution and no effect', () => {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  const [claimed] = draft({ tools: [{ name: 'get_order', inputSchema: SCHEMA, annotations }] });
  expect(claimed?.contract.effect).toBe('unproven');
  expect(claimed?.cautions.join()).toContain('a claim, not a proof');
});

it('the provider says what its own tools do', () => {
  const tools = [
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'web_search_20250305', name: 'web_search' },
    { type: 'file_search', vector_store_ids: [] },
  ];
  expect(draft({ tools }).map(({ tool, contract }) => [tool, contract.effect])).toEqual([
    ['bash', 'exec'],
    ['str_replace_based_edit_tool', 'converging'],
    ['web_search', 'read'],
    ['file_search', 'read'],
  ]);
  expect(draft({ tools: [{ googleSearch: {} }] })).toMatchObject([
    { tool: 'googleSearch', contract: { effect: 'read' } },
  ]);
});

it('a tool of the caller that only has such a name proves nothing', () => {
  const [own] = draft({ tools: [{ type: 'function', name: 'web_search', parameters: SCHEMA }] });
  expect(own?.contract.effect).toBe('unproven');
});

it('secret arguments are declared, and are no target', () => {
  const properties = { api_key: {}, id: {} };
  const [secret] = draft([{ name: 'x', input_schema: { properties, required: ['api_key', 'id'] } }]);
  expect(secret?.contract).toMatchObject({ target: ['$.id'], secret: ['$.api_key'] });
});

it.each([null, 7, 'x', [], {}, { tools: 'x' }, [{ name: 7, input_schema: {} }], [[[]]], { tools: [{ type: 'x' }] }])(
  'nothing is made of %j',
  (document) => {
    expect(draft(document)).toEqual([]);
  },
);

it('a tool may be named as it likes', () => {
  const drafts = draftContracts(readToolDefinitions(parseJson('[{"name":"__proto__","input_schema":{}}]')));
  expect(drafts.map(({ tool }) => tool)).toEqual(['__proto__']);
});
