import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { cutIntoParts } from './text-parts';

const asOrdinaryText = { disallowedSpecial: new Set<string>() };
const snippet = fc.constantFrom(
  'the',
  'Order',
  'HTTP',
  "it's",
  "we'LL",
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\n\n',
  '\t',
  '12',
  '7',
  '.',
  ',',
  '/',
  '//',
  '"',
  "'",
  '{',
  ':',
  '漢',
  'é',
  '\u0301',
  '😀',
);

describe('cutting a text into parts', () => {
  it('changes no count', () => {
    fc.assert(
      fc.property(fc.array(snippet, { maxLength: 120 }), fc.integer({ min: 1, max: 30 }), (bits, partUnits) => {
        const text = bits.join('');
        const parts = cutIntoParts(text, partUnits);
        expect(parts.join('')).toBe(text);
        for (const count of [countO200k, countCl100k]) {
          const summed = parts.reduce((sum, part) => sum + count(part, asOrdinaryText), 0);
          expect(summed).toBe(count(text, asOrdinaryText));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('cuts between units of one script when it must, never within a character', () => {
    const parts = cutIntoParts('😀'.repeat(50), 5, 9);
    expect(parts.join('')).toBe('😀'.repeat(50));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(9);
      expect(part).not.toMatch(/[\ud800-\udfff]/u);
    }
  });

  it('leaves a short text whole', () => {
    expect(cutIntoParts('short and plain', 15)).toEqual(['short and plain']);
  });
});
