import fc from 'fast-check';
import { parseJson } from '../json';
import { reduceResult } from './reduce-result';
import { unpackJson } from './unpack-json';

const id = fc.stringMatching(/^[A-Z]{2}[0-9]{5}$/u);
const day = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([month, date]) => `2024-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`);
const prose = fc.array(fc.constantFrom('a', 'word', 'nobody', 'needs', '"quoted"', 'née'), { maxLength: 30 });
const money = fc.integer({ min: 100, max: 99_999 }).map((cents) => cents / 100);

const order = fc.record({
  order_id: id,
  status: fc.constantFrom('pending', 'delivered', 'cancelled'),
  address: fc.record({ street: prose.map((words) => words.join(' ')), zip: fc.stringMatching(/^[0-9]{5}$/u) }),
  items: fc.array(
    fc.record({ item_id: id, price: money, options: fc.dictionary(fc.constantFrom('size', 'colour'), fc.string()) }),
    { maxLength: 12 },
  ),
  payments: fc.dictionary(fc.stringMatching(/^card_[0-9]{4}$/u), fc.record({ amount: money, at: day })),
});
const profile = fc.record({ user: id, born: day, notes: prose.map((words) => words.join(' ')), tags: fc.array(id) });
const result = fc.oneof(order, fc.array(order, { maxLength: 6 }), fc.array(profile, { maxLength: 20 }), profile);

const options = (maxTokens: number, keep: readonly string[] = []) => ({
  isNeeded: () => false,
  standsElsewhere: () => false,
  keep,
  maxTokens,
  recallMark: '[recall h_abcdef1234]',
});

/** Keys and literals of a JSON text, but for the mark. */
function tokensOf(text: string): readonly string[] {
  const plain = unpackJson(text, parseJson(text)).replace(/,?\{?"_holdfast":"(?:[^"\\]|\\.)*"\}?/u, '');
  return plain.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+/gu) ?? [];
}

it('stays JSON, and says nothing that the original does not say', () => {
  fc.assert(
    fc.property(result, fc.integer({ min: 20, max: 400 }), fc.integer({ min: 0, max: 2 }), (value, tokens, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const reduced = reduceResult(text, options(tokens));
      if (reduced === undefined) return;
      expect(() => parseJson(reduced.text)).not.toThrow();
      const said = new Set(tokensOf(text));
      expect(tokensOf(reduced.text).filter((token) => !said.has(token) && token !== '"…"')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('keeps every declared value, however few tokens it may have', () => {
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 6 }), (orders) => {
      const reduced = reduceResult(JSON.stringify(orders), options(20, ['$[*].items[*].item_id']));
      if (reduced === undefined) return;
      const ids = orders.flatMap(({ items }) => items.map((item) => JSON.stringify(item.item_id)));
      const said = tokensOf(reduced.text);
      expect(ids.filter((one) => !said.includes(one))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
