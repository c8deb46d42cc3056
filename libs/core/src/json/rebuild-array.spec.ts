import fc from 'fast-check';
import { arrayTexts, jsonValueTexts } from '../../test/json-texts';
import { items } from './json-access';
import { sourceOf, type JsonArray } from './json-node';
import { parseJson } from './parse-json';
import { rebuildArray, type ArrayPart } from './rebuild-array';

function parseArray(text: string): JsonArray {
  const node = parseJson(text);
  if (node.kind !== 'array') throw new TypeError('The text of an array is expected');
  return node;
}

const sources = (text: string): string[] => items(parseJson(text)).map((item) => sourceOf(text, item));

/** What happens to one source item, with what is inserted before it. */
const decision = fc.record({
  outcome: fc.constantFrom('keep', 'keep', 'drop', 'replace'),
  text: jsonValueTexts,
  before: fc.array(jsonValueTexts, { maxLength: 2 }),
});

describe('rebuildArray', () => {
  it('gives the identical text when every item is kept', () => {
    fc.assert(
      fc.property(arrayTexts, (text) => {
        const array = parseArray(text);
        const parts = array.items.map((_, item) => ({ item }));
        expect(rebuildArray(text, array, parts)).toBe(sourceOf(text, array));
      }),
    );
  });

  it('gives a valid array of exactly the decided items, kept ones as their source text', () => {
    fc.assert(
      fc.property(arrayTexts, fc.array(decision, { minLength: 6, maxLength: 6 }), (text, decisions) => {
        const array = parseArray(text);
        const parts: ArrayPart[] = [];
        const expected: string[] = [];
        sources(text).forEach((source, item) => {
          const { outcome, text: replacement, before } = decisions[item] ?? { outcome: 'keep', text: '', before: [] };
          parts.push(...before.map((insert) => ({ insert })));
          expected.push(...before);
          if (outcome === 'drop') return;
          parts.push(outcome === 'replace' ? { item, replacement } : { item });
          expected.push(outcome === 'replace' ? replacement : source);
        });
        expect(sources(rebuildArray(text, array, parts))).toEqual(expected);
      }),
    );
  });

  it.each<[string, ArrayPart[], string]>([
    ['[ 1 , 2 ,\n3 ]', [{ item: 1 }, { item: 2 }], '[ 2 ,\n3 ]'],
    ['[ 1 , 2 ,\n3 ]', [{ item: 0 }, { item: 2 }], '[ 1,3 ]'],
    ['[ 1 , 2 ,\n3 ]', [{ item: 0 }, { insert: '9' }, { item: 1 }], '[ 1,9,2 ]'],
    ['[ 1 , 2 ,\n3 ]', [{ item: 0, replacement: '1.0' }, { item: 1 }], '[ 1.0 , 2 ]'],
    ['[ 1 , 2 ,\n3 ]', [{ item: 2 }, { item: 0 }], '[ 3,1 ]'],
    ['[ 1 , 2 ,\n3 ]', [], '[  ]'],
    ['[ ]', [], '[ ]'],
    ['[ ]', [{ insert: '1' }, { insert: '2' }], '[ 1,2]'],
  ])('of %j with %j gives %j', (text, parts, expected) => {
    expect(rebuildArray(text, parseArray(text), parts)).toBe(expected);
  });

  it('works on an array in the middle of a text', () => {
    const text = '{"messages": [ 1.0, 2 ], "n": 1}';
    const root = parseJson(text);
    const array = root.kind === 'object' ? root.members[0]?.value : undefined;
    if (array?.kind !== 'array') throw new TypeError('An array is expected');
    expect(rebuildArray(text, array, [{ item: 0 }])).toBe('[ 1.0 ]');
  });

  it.each<[ArrayPart[]]>([[[{ item: 1 }]], [[{ item: -1 }]], [[{ item: 0 }, { item: 0 }]]])('refuses %j', (parts) => {
    expect(() => rebuildArray('[1]', parseArray('[1]'), parts)).toThrow(RangeError);
  });
});
