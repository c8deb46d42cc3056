import { parseJson } from '../json';
import type { ObservedCall } from './observed-call';
import { suggestContracts, type ContractProposal } from './suggest-contracts';
import { readToolDefinitions } from './tool-definition';

function call(tool: string, args: unknown, result?: string, isError?: boolean): ObservedCall {
  const argumentsText = JSON.stringify(args);
  return { tool, argumentsText, args: parseJson(argumentsText), result, isError };
}

function proposal(tool: string, calls: readonly ObservedCall[], tools: unknown = []): ContractProposal | undefined {
  const definitions = readToolDefinitions(parseJson(JSON.stringify(tools)));
  return suggestContracts({ definitions, calls }).find((found) => found.tool === tool);
}

it('a read that was defined and seen', () => {
  const tools = [{ name: 'get_order', description: 'Get an order.', input_schema: { properties: { id: {} } } }];
  const found = proposal('get_order', [call('get_order', { id: 1 }, '{"status":"open"}')], tools);
  expect(found).toMatchObject({ contract: { effect: 'read' }, confidence: 'high', calls: 1 });
  expect(found?.evidence.join()).toContain('reading verb "get"');
});

it('a read whose equal calls got unequal answers is volatile', () => {
  const calls = [call('get_price', { id: 1 }, '10'), call('get_price', { id: 1 }, '11')];
  expect(proposal('get_price', calls)?.contract).toEqual({ effect: 'read', volatile: true });
});

it('one call that changed something is enough to doubt a read', () => {
  const calls = [call('get_order', { id: 1 }, '{}'), call('get_order', { id: 1, mark_as_seen: true }, '{}')];
  expect(proposal('get_order', calls)?.contract.effect).toBe('unproven');
  expect(proposal('get_order', [call('get_order', { id: 1 }, 'Order 1 updated')])?.contract.effect).toBe('unproven');
});

it('a write with its key, its target and how its failures look', () => {
  const schema = { properties: { order_id: {}, reason: {} }, required: ['order_id', 'reason'] };
  const calls = [call('cancel_order', { order_id: 'a' }, 'Error: no such order'), call('cancel_order', {}, 'ok')];
  expect(proposal('cancel_order', calls, [{ name: 'cancel_order', input_schema: schema }])).toMatchObject({
    contract: {
      effect: 'write',
      key: ['$.order_id', '$.reason'],
      target: ['$.order_id'],
      outcome: { failed_when: [{ prefix: 'Error' }] },
    },
    confidence: 'high',
  });
});

it.each([
  ['bash', { command: 'ls' }, 'exec'],
  ['execute_python', { code: '1' }, 'exec'],
  ['write_file', { path: '/a', content: 'b' }, 'converging'],
  ['todo_write', { todos: [] }, 'converging'],
  ['send_email', { to: 'a' }, 'write'],
  ['frobnicate', { x: 1 }, 'unproven'],
  ['calculate', { expression: '1+1' }, 'pure'],
])('%s with %j: %s', (tool, args, effect) => {
  expect(proposal(tool, [call(tool, args, 'ok')])?.contract.effect).toBe(effect);
});

it('values that later calls used are worth keeping', () => {
  const calls = [
    call('list_orders', {}, '{"orders":[{"id":"W2378156","note":"blue"},{"id":"W9999999","note":"red"}]}'),
    call('get_order', { id: 'W2378156' }, '{}'),
  ];
  expect(proposal('list_orders', calls)?.contract.keep).toEqual(['$.orders[*].id']);
});

it('tools that were never called and tools that were never defined', () => {
  const tools = [{ name: 'get_a', input_schema: {} }];
  const found = suggestContracts({
    definitions: readToolDefinitions(parseJson(JSON.stringify(tools))),
    calls: [call('get_b', {}, '{}'), call('__proto__', {}, 'x')],
  });
  expect(found.map(({ tool, calls }) => [tool, calls])).toEqual([
    ['__proto__', 1],
    ['get_a', 0],
    ['get_b', 1],
  ]);
});
