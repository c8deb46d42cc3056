import { parseJson } from '../json';
import { reportsChange } from './change-signs';
import { ReadJudge } from './likely-read';
import { readToolDefinitions } from './tool-definition';

function judged(tool: Record<string, unknown>): string {
  const definitions = readToolDefinitions(parseJson(JSON.stringify([{ inputSchema: {}, ...tool }])));
  return new ReadJudge({ definitions, changing: new Set() }).judgeTool(String(tool['name'])).kind;
}

it.each([
  'Gets the message and marks it as read.',
  'Returns the order. Cancels it when it is stale.',
  'Get a user or create one.',
  'Reads the queue; it deletes what it has read.',
  'Looks up a customer. This tool will also send them an email.',
  'Search for files to remove',
])('a description that tells of a change: %s', (description) => {
  expect(judged({ name: 'get_thing', description })).toBe('not_proven');
});

it.each([
  'Get the current details of the reservation.',
  'Find user id by email. If the user is not found, the function will return an error message.',
  'Lists orders that were created or updated since a date, newest first.',
  'Returns open issues. Use it before closing one.',
])('a description that tells of reading: %s', (description) => {
  expect(judged({ name: 'get_thing', description })).toBe('likely_read');
});

it('hints of a server take trust away and never give it', () => {
  const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  expect(judged({ name: 'delete_thing', annotations: readOnly })).toBe('not_proven');
  expect(judged({ name: 'frobnicate', description: 'Returns data.', annotations: readOnly })).toBe('not_proven');
  expect(judged({ name: 'get_thing', annotations: readOnly })).toBe('likely_read');
  expect(judged({ name: 'get_thing', annotations: { readOnlyHint: false } })).toBe('not_proven');
  expect(judged({ name: 'get_thing', annotations: { destructiveHint: true } })).toBe('not_proven');
});

it('a parameter that carries a change takes the read away', () => {
  const schema = (name: string, choices?: string[]) => ({ type: 'object', properties: { [name]: { enum: choices } } });
  expect(judged({ name: 'get_thing', inputSchema: schema('delete_after') })).toBe('not_proven');
  expect(judged({ name: 'get_thing', inputSchema: schema('body') })).toBe('not_proven');
  expect(judged({ name: 'get_thing', inputSchema: schema('method', ['GET', 'POST']) })).toBe('not_proven');
  expect(judged({ name: 'get_thing', inputSchema: schema('created_after') })).toBe('likely_read');
});

it('a verb of two meanings needs a description that says it reads', () => {
  expect(judged({ name: 'check_payment_request', description: 'Check whether there is a payment request.' })).toBe(
    'likely_read',
  );
  expect(judged({ name: 'check_payment_request' })).toBe('not_proven');
  expect(judged({ name: 'list_property', description: 'Offers a home to tenants.' })).toBe('not_proven');
});

it.each([
  ['Order 17 updated', true],
  ['Successfully sent the email', true],
  ['{"status":"open"}', false],
  ['created: 2024-01-01', false],
  ['The flight departs at 10:00', false],
])('a result that reports a change: %s %s', (text, expected) => {
  expect(reportsChange(text)).toBe(expected);
});
