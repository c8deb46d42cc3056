import fc from 'fast-check';
import { linesOf, withoutLineEnd } from './text-lines';

describe('lines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\nb', ['a\n', 'b']],
    ['a\r\nb\rc\n', ['a\r\n', 'b\r', 'c\n']],
    ['\n\n', ['\n', '\n']],
    ['\u0000\ud800\n', ['\u0000\ud800\n']],
  ])('of %j', (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it('are the text together', () => {
    const piece = fc.constantFrom('a', '\r', '\n', '\r\n', '\u0000', '\ud83d', '\ude00', 'é', ' ');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const lines = linesOf(text);
        expect(lines.join('')).toBe(text);
        for (const line of lines) expect(withoutLineEnd(line)).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
