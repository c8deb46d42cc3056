import fc from 'fast-check';
import { jsonTexts } from '../../test/json-texts';
import { items, member, memberEntries, stringValue } from './json-access';
import { sourceOf } from './json-node';
import { jsonPointer } from './json-pointer';
import { parseJson } from './parse-json';
import { toPlain } from './to-plain';

describe('access to nodes', () => {
  const text = '{"a":1,"b":["x",2],"a":{"c":"last"}}';
  const root = parseJson(text);

  it('takes the last duplicate of a member', () => {
    const last = member(root, 'a');
    expect(last && sourceOf(text, last)).toBe('{"c":"last"}');
    expect(stringValue(member(last, 'c'))).toBe('last');
  });

  it('lists each key once, with the value that counts', () => {
    expect(memberEntries(root).map(({ key, value }) => [key, sourceOf(text, value)])).toEqual([
      ['a', '{"c":"last"}'],
      ['b', '["x",2]'],
    ]);
  });

  it('agrees with JSON.parse on every member', () => {
    fc.assert(
      fc.property(jsonTexts, (anyText) => {
        const node = parseJson(anyText);
        const parsed: unknown = JSON.parse(anyText);
        const plain = Object.fromEntries(memberEntries(node).map(({ key, value }) => [key, toPlain(value)]));
        expect(plain).toEqual(node.kind === 'object' ? parsed : {});
        for (const { key, value } of memberEntries(node)) expect(member(node, key)).toBe(value);
      }),
    );
  });

  it('is empty on other kinds and on nothing', () => {
    const array = member(root, 'b');
    expect(items(array)).toHaveLength(2);
    expect(items(root)).toEqual([]);
    expect(items(undefined)).toEqual([]);
    expect(member(array, 'length')).toBeUndefined();
    expect(member(undefined, 'a')).toBeUndefined();
    expect(memberEntries(array)).toEqual([]);
    expect(stringValue(array)).toBeUndefined();
  });
});

describe('jsonPointer', () => {
  it('escapes ~ and / (RFC 6901)', () => {
    expect(jsonPointer([])).toBe('');
    expect(jsonPointer(['a/b', 0, 'm~n', '', '~1'])).toBe('/a~1b/0/m~0n//~01');
  });
});
