import { reduceResult, repackText, whatItStillSays } from '.';

const mentions = { isNeeded: () => false, standsElsewhere: () => false };
const options = { ...mentions, keep: ['$.order_id'], maxTokens: 60, recallMark: '[recall h_0a1b2c3d4e]' };
const rows = Array.from({ length: 12 }, (_, row) => ({
  item_id: `item-${String(row)}`,
  price: row * 3.5,
  note: 'n'.repeat(40),
}));

it.each([
  ['an object', JSON.stringify({ order_id: 'W8827341', items: rows })],
  ['a list', JSON.stringify(rows)],
])('%s that was reduced says its values without the mark', (_, text) => {
  const reduced = reduceResult(text, options);
  if (reduced === undefined) throw new Error('not reduced');
  const said = whatItStillSays(reduced.text);
  expect(said).not.toMatch(/_holdfast|recall|#columns/u);
  expect(() => JSON.parse(said) as unknown).not.toThrow();
  for (const [value] of said.matchAll(/item-\d+|W\d+/gu)) expect(text).toContain(value);
});

it('lines that stayed are said without the line that counts them', () => {
  const text = Array.from({ length: 60 }, (_, line) => `line ${String(line)} of order W${String(88_000 + line)}`).join(
    '\n',
  );
  const reduced = reduceResult(text, options);
  expect(reduced?.text).toMatch(/^\[\d+ of 60 lines; recall h_0a1b2c3d4e\]\n/u);
  expect(text).toContain(whatItStillSays(reduced?.text ?? '').split('\n')[0]);
});

it('what was repacked is read back', () => {
  const text = JSON.stringify(rows);
  expect(whatItStillSays(repackText(text)?.text ?? '')).toBe(text);
});

it('any other text is what it was', () => {
  for (const text of ['plain', '{"a":1}', '[1,2]', '{"broken"', '']) expect(whatItStillSays(text)).toBe(text);
});
