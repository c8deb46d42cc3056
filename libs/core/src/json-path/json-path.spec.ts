import fc from 'fast-check';
import { parseJson } from '../json';
import { formatJsonPath, matchesPath, parseJsonPath, selectJsonPath } from './json-path';

describe('matchesPath', () => {
  it.each([
    ['$.a[*].b', '$.a[12].b', true],
    ['$.a[*].b', '$.a[12].c', false],
    ['$.a[1]', '$.a[1]', true],
    ['$.a[1]', '$.a[2]', false],
    ['a.b', '$.a.b', true],
    ['$.*', '$.x', true],
    ['$["a key"]', "$['a key']", true],
    ['$.a', '$.a.b', false],
    ['$', '$', true],
    ['$..a', '$.a', false],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });

  it('reads back every concrete path', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat(1000))), (path) => {
        expect(matchesPath(formatJsonPath(path), path)).toBe(true);
      }),
    );
  });
});

describe('selectJsonPath', () => {
  const node = parseJson('{"items":[{"id":1},{"id":2},{"no":3}],"a":{"b":"x"}}');

  it.each([
    ['$.items[*].id', [1, 2]],
    ['$.items[1].id', [2]],
    ['$.a.b', ['x']],
    ['$.a[*]', ['x']],
    ['$.nothing', []],
  ])('%s', (pattern, expected) => {
    expect(selectJsonPath(node, pattern).map((found) => ('value' in found ? found.value : found.kind))).toEqual(
      expected,
    );
  });

  it('knows no filters', () => {
    expect(parseJsonPath('$.items[?(@.id)]')).toBeUndefined();
  });
});
