import { parseJson } from '../json';
import type { ToolContract } from '../classify/tool-contract';
import { deriveIdempotencyKey } from './idempotency-key';

const contract: ToolContract = { effect: 'write', key: ['$.order', '$.items[*].id'] };
const key = (text: string, tool = 'pay', given: ToolContract | undefined = contract): string | undefined =>
  deriveIdempotencyKey(tool, given, { argumentsText: text, args: parseJson(text) });

const TEXT = '{"order":"W1","items":[{"id":1},{"id":2}],"note":"a"}';

it('is the same for calls that differ elsewhere, another for any of them changed', () => {
  expect(key('{"note":"b","items":[{"id":1,"q":3},{"id":2}],"order":"W1"}')).toBe(key(TEXT));
  expect(key('{"order":"W2","items":[{"id":1},{"id":2}]}')).not.toBe(key(TEXT));
  expect(key('{"order":"W1","items":[{"id":2},{"id":1}]}')).not.toBe(key(TEXT));
  expect(key('{"order":"W1","items":[{"id":"1"},{"id":2}]}')).not.toBe(key(TEXT));
  expect(key(TEXT, 'refund')).not.toBe(key(TEXT));
});

it('is all of the arguments where they carry nothing of it', () => {
  expect(key('{"note":"a"}')).toBe(key('{ "note" : "a" }'));
  expect(key('{"note":"a"}')).not.toBe(key('{"note":"b"}'));
  expect(deriveIdempotencyKey('pay', contract, { argumentsText: '{', args: undefined })).toBeDefined();
});

it('is absent where nothing declares it', () => {
  expect(key(TEXT, 'pay', { effect: 'write' })).toBeUndefined();
  expect(key(TEXT, 'pay', undefined)).toBeDefined();
  expect(deriveIdempotencyKey('pay', undefined, { argumentsText: TEXT, args: parseJson(TEXT) })).toBeUndefined();
});
