import fc from 'fast-check';
import { foldSentences, unfoldSentences } from './fold-sentences';

const sentence = fc.constantFrom(
  'The helper reads its options from the environment at start.',
  'Nothing else was found in the folder!',
  'Who owns the bucket reykja-cold-03 now?',
  'Fine.',
  'v1.2.3 stays',
  '\n\n',
);
const prose = fc
  .array(fc.tuple(sentence, fc.constantFrom(' ', '  ', '\n', '\t')), { maxLength: 30 })
  .map((pieces) => pieces.map((piece) => piece.join('')).join(''));

describe('sentences said again', () => {
  it('are read back byte for byte', () => {
    fc.assert(
      fc.property(fc.oneof(prose, fc.string({ unit: 'grapheme' })), (text) => {
        const folded = foldSentences(text);
        if (folded !== undefined) expect(unfoldSentences(folded)).toBe(text);
      }),
    );
  });

  it('shows a sentence once and its number after', () => {
    const text = 'The totals of both reports line up. Next one. The totals of both reports line up.';
    expect(foldSentences(text)).toBe('The totals of both reports line up. Next one. [1]');
  });

  it('leaves a text alone that has numbers in brackets', () => {
    expect(foldSentences('See note [1] of it, please. See note [1] of it, please.')).toBeUndefined();
  });
});
