import fc from 'fast-check';
import { parseJson } from '../json';
import type { ToolContract } from '../classify/tool-contract';
import { exactNumber } from './exact-number';
import { argumentsDigest, deriveIdempotencyKey } from './idempotency-key';

it.each([
  ['77', '77'],
  ['77.0', '77'],
  ['7.7e1', '77'],
  ['770E-1', '77'],
  ['0.0770e3', '77'],
  ['-12.50', '-125e-1'],
  ['100', '1e2'],
  ['1e2', '1e2'],
  ['0', '0'],
  ['-0.0', '0'],
  ['9007199254740993', '9007199254740993'],
])('%s is %s', (literal, exact) => {
  expect(exactNumber(literal)).toBe(exactNumber(exact));
});

it('keeps different numbers apart, beyond what floating point can', () => {
  expect(exactNumber('9007199254740993')).not.toBe(exactNumber('9007199254740992'));
  expect(exactNumber('1.0000000000000000001')).not.toBe(exactNumber('1'));
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect(exactNumber(String(a)) === exactNumber(String(b))).toBe(a === b);
    }),
  );
});

const contract: ToolContract = { effect: 'write', key: ['$.id'] };
const call = (text: string) => ({ argumentsText: text, args: parseJson(text) });

it('a write asked for with another spelling of its number is the same write', () => {
  for (const text of ['{"id":77.0}', '{"id":7.7e1}', '{ "id" : 770e-1 }']) {
    expect(deriveIdempotencyKey('pay', contract, call(text))).toBe(
      deriveIdempotencyKey('pay', contract, call('{"id":77}')),
    );
    expect(argumentsDigest(call(text))).toBe(argumentsDigest(call('{"id":77}')));
  }
});
