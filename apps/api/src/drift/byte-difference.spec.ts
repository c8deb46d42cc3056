import fc from 'fast-check';
import { differingSides } from './byte-difference';

it('marks the bytes that differ', () => {
  const { expected, observed } = differingSides('id: req_8f20c2é', 'id: req_8f20d2é');
  expect(expected?.differs).toEqual({ start: 12, end: 13 });
  expect(observed?.differs).toEqual({ start: 12, end: 13 });
  expect(differingSides('gone', null)).toEqual({
    expected: { text: 'gone', base64: 'Z29uZQ==', differs: { start: 0, end: 4 } },
    observed: null,
  });
});

it('leaves the same bytes around, and only those', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
      const { expected, observed } = differingSides(before, after);
      const cut = (side: typeof expected, at: 'head' | 'tail'): string => {
        const bytes = Buffer.from(side?.base64 ?? '', 'base64');
        const { start, end } = side?.differs ?? { start: 0, end: 0 };
        return (at === 'head' ? bytes.subarray(0, start) : bytes.subarray(end)).toString('hex');
      };
      expect(cut(expected, 'head')).toBe(cut(observed, 'head'));
      expect(cut(expected, 'tail')).toBe(cut(observed, 'tail'));
      if (before !== after) expect([expected?.differs, observed?.differs]).not.toContainEqual(undefined);
    }),
  );
});
