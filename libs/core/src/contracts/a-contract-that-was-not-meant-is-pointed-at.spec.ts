import { ContractBook } from '../classify/compiled-contract';
import { parseJson } from '../json';
import { readContractDocument } from './contract-document';
import { lintContracts } from './lint-contracts';
import { readToolDefinitions } from './tool-definition';

const lint = (contracts: unknown, tools: unknown = []): readonly string[] =>
  lintContracts(parseJson(JSON.stringify(contracts)), readToolDefinitions(parseJson(JSON.stringify(tools)))).map(
    ({ code, path, severity }) => `${severity} ${code} ${path}`,
  );
const messages = (contracts: unknown, tools: unknown = []): string =>
  lintContracts(parseJson(JSON.stringify(contracts)), readToolDefinitions(parseJson(JSON.stringify(tools))))
    .map(({ message }) => message)
    .join('\n');

it('finds nothing in a good one', () => {
  const pay = {
    effect: 'write',
    key: ['$.order'],
    target: ['$.order'],
    outcome: { failed_when: [{ prefix: 'Error' }] },
  };
  expect(lint({ pay, get_order: { effect: 'read', volatile: true }, run: { effect: 'exec' } })).toEqual([]);
});

it('names unknown fields and effects with the closest word', () => {
  expect(lint({ a: { effect: 'reed', volatil: true, outcome: { failed_wen: [] } } })).toEqual([
    'error FIELD_UNKNOWN /a/volatil',
    'error FIELD_UNKNOWN /a/outcome/failed_wen',
    'error EFFECT_UNKNOWN /a/effect',
  ]);
  expect(messages({ a: { effect: 'reed', volatil: true } })).toMatch(/"volatile"[\s\S]*"read"/u);
});

it.each([
  [{ a: 7 }, 'error FIELD_WRONG_TYPE /a'],
  [{ a: {} }, 'error EFFECT_MISSING /a'],
  [{ a: { effect: 7 } }, 'error FIELD_WRONG_TYPE /a/effect'],
  [{ a: { effect: 'exec', key: '$.x' } }, 'error FIELD_WRONG_TYPE /a/key'],
  [{ a: { effect: 'exec', outcome: { failed_when: [7] } } }, 'error FIELD_WRONG_TYPE /a/outcome/failed_when/0'],
  [{ a: { effect: 'exec', read_when: [{ equals: 'x' }] } }, 'error FIELD_WRONG_TYPE /a/read_when/0'],
  [[], 'error FIELD_WRONG_TYPE '],
])('%j', (contracts, expected) => {
  expect(lint(contracts)).toEqual([expected]);
});

it('a read with a verb that writes, and a write without target or key', () => {
  expect(lint({ get_and_delete: { effect: 'read' }, pay: { effect: 'write' } })).toEqual([
    'warning READ_WITH_WRITE_VERB /get_and_delete/effect',
    'warning WRITE_WITHOUT_TARGET /pay',
    'hint WRITE_WITHOUT_KEY /pay',
  ]);
});

it('patterns that could hang', () => {
  expect(lint({ a: { effect: 'exec', outcome: { failed_when: [{ matches: '(a+)+$' }] }, keep: ['/(x*)*/'] } })).toEqual(
    ['error PATTERN_UNSAFE /a/keep/0', 'error PATTERN_UNSAFE /a/outcome/failed_when/0/matches'],
  );
});

it('paths and names are checked against the tools', () => {
  const properties = { order_id: { type: 'string' }, lines: { type: 'array', items: { properties: { sku: {} } } } };
  const tools = [
    { name: 'cancel_order', input_schema: { type: 'object', properties } },
    { name: 'get_order', input_schema: { type: 'object', properties, additionalProperties: true }, annotations: {} },
    { name: 'ping', input_schema: {} },
  ];
  const contracts = {
    cancel_order: { effect: 'write', key: ['$.orderid', '$.lines[*].sku'], target: ['$.lines.sku', '$.order_id'] },
    get_order: { effect: 'read', read_when: [{ json_path: '$.anything', equals: 1 }] },
    get_ordr: { effect: 'read' },
  };
  expect(lint(contracts, tools)).toEqual([
    'warning PATH_MATCHES_NOTHING /cancel_order/key/0',
    'warning PATH_MATCHES_NOTHING /cancel_order/target/0',
    'warning TOOL_UNKNOWN /get_ordr',
    'hint TOOL_UNDECLARED /ping',
  ]);
  expect(messages(contracts, tools)).toMatch(/"order_id"[\s\S]*"get_order"/u);
});

it('a read against the word of its own server', () => {
  const tools = [{ name: 'get_order', inputSchema: {}, annotations: { readOnlyHint: false } }];
  expect(lint({ get_order: { effect: 'read' } }, tools)).toEqual(['warning READ_AGAINST_HINT /get_order/effect']);
});

it('a tool may have the name of a property of every object', () => {
  const text = '{"__proto__":{"effect":"read"},"constructor":{"effect":"exec"},"toString":{"effect":"reed"}}';
  const { contracts } = readContractDocument(parseJson(text));
  expect(Object.keys(contracts)).toEqual(['__proto__', 'constructor', 'toString']);
  const book = new ContractBook(contracts);
  expect(book.find('__proto__')?.contract.effect).toBe('read');
  expect(book.find('hasOwnProperty')).toBeUndefined();
  expect(lintContracts(parseJson(text)).map(({ path }) => path)).toEqual(['/toString/effect']);
});

it('a tool that is declared twice', () => {
  const found = lintContracts(parseJson('{"a":{"effect":"read"},"a":{"effect":"exec"}}'));
  expect(found.map(({ code, path }) => [code, path])).toEqual([['TOOL_DUPLICATE', '/a']]);
});
