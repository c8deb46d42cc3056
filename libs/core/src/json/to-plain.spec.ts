import fc from 'fast-check';
import { jsonTexts } from '../../test/json-texts';
import { parseJson } from './parse-json';
import { toPlain } from './to-plain';

describe('toPlain', () => {
  it('equals JSON.parse, order of keys included', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const plain = toPlain(parseJson(text));
        const expected: unknown = JSON.parse(text);
        expect(plain).toEqual(expected);
        expect(JSON.stringify(plain)).toBe(JSON.stringify(expected));
      }),
    );
  });

  it('makes __proto__ an ordinary member and inherits nothing', () => {
    const plain = toPlain(parseJson('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(plain ?? {})).toEqual(['__proto__']);
    expect(Reflect.get(Object(plain), 'polluted')).toBeUndefined();
    expect(Reflect.get(Object(plain), 'constructor')).toBeUndefined();
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
