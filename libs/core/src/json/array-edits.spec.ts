import fc from 'fast-check';
import { arrayTexts, jsonValueTexts } from '../../test/json-texts';
import { insertItemsEdit, removeItemsEdit } from './array-edits';
import { items } from './json-access';
import { sourceOf, type JsonArray } from './json-node';
import { parseJson } from './parse-json';
import { applyEdits } from './text-edits';

function parseArray(text: string): JsonArray {
  const node = parseJson(text);
  if (node.kind !== 'array') throw new TypeError('The text of an array is expected');
  return node;
}

const sources = (text: string): string[] => items(parseJson(text)).map((item) => sourceOf(text, item));

describe('removeItemsEdit', () => {
  it('drops the items and keeps the source text of the others', () => {
    fc.assert(
      fc.property(arrayTexts, fc.array(fc.boolean()), (text, flags) => {
        const isKept = (index: number): boolean => flags[index] ?? true;
        const edited = applyEdits(text, removeItemsEdit(parseArray(text), isKept));
        expect(sources(edited)).toEqual(sources(text).filter((_, index) => isKept(index)));
      }),
    );
  });

  it.each([
    ['[ 1 , 2 , 3 ]', [0], '[ 2 , 3 ]'],
    ['[ 1 , 2 , 3 ]', [1], '[ 1 , 3 ]'],
    ['[ 1 , 2 , 3 ]', [2], '[ 1 , 2 ]'],
    ['[ 1 , 2 , 3 ]', [1, 2], '[ 1 ]'],
    ['[ 1 , 2 , 3 ]', [0, 1, 2], '[  ]'],
    ['[ 1 , 2 , 3 ]', [], '[ 1 , 2 , 3 ]'],
  ])('of %j drops %j and gives %j', (text, dropped, expected) => {
    expect(
      applyEdits(
        text,
        removeItemsEdit(parseArray(text), (index) => !dropped.includes(index)),
      ),
    ).toBe(expected);
  });
});

describe('insertItemsEdit', () => {
  it('inserts at any place and keeps the source text of the others', () => {
    fc.assert(
      fc.property(arrayTexts, fc.array(jsonValueTexts, { maxLength: 3 }), fc.nat(), (text, inserted, place) => {
        const array = parseArray(text);
        const index = place % (array.items.length + 1);
        const edited = applyEdits(text, insertItemsEdit(array, index, inserted));
        expect(sources(edited)).toEqual(sources(text).toSpliced(index, 0, ...inserted));
      }),
    );
  });

  it.each([-1, 2, 0.5])('refuses the place %p of an array of one item', (index) => {
    expect(() => insertItemsEdit(parseArray('[1]'), index, ['2'])).toThrow(RangeError);
  });
});
