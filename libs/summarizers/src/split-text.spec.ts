import fc from 'fast-check';
import { splitText } from './split-text';

it('is whole when joined, and no piece is longer than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 8, max: 80 }), (text, limit) => {
      const pieces = splitText(text, limit);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => piece.length <= limit)).toBe(true);
    }),
  );
});

it('never cuts a placeholder', () => {
  const text = `${'x'.repeat(90)}⟦12:identifier⟧${'y'.repeat(90)}`;
  for (let limit = 70; limit < 120; limit += 1)
    expect(splitText(text, limit).some((piece) => piece.includes('⟦12:identifier⟧'))).toBe(true);
});
