import fc from 'fast-check';
import { encodeWtf8 } from './wtf8';

const codeUnits = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
  fc.constantFrom(0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfffd, 0xffff),
);
const anyText = fc.array(codeUnits).map((units) => String.fromCharCode(...units));

function encoded(text: string, capacity = text.length * 3 + 4): Uint8Array {
  const bytes: number[] = [];
  const target = new Uint8Array(capacity);
  const progress = { textOffset: 0, byteOffset: 0 };
  while (progress.textOffset < text.length) {
    encodeWtf8(text, target, progress);
    bytes.push(...target.subarray(0, progress.byteOffset));
    progress.byteOffset = 0;
  }
  return Uint8Array.from(bytes);
}

/** The definition, character by character: UTF-8, or the three bytes of a lone surrogate. */
function definition(text: string): number[] {
  return [...text].flatMap((char) => {
    const point = char.codePointAt(0) ?? 0;
    const isLoneSurrogate = point >= 0xd800 && point <= 0xdfff;
    if (!isLoneSurrogate) return [...new TextEncoder().encode(char)];
    return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  });
}

describe('WTF-8', () => {
  it('follows its definition for any code units', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...encoded(text)]).toEqual(definition(text));
      }),
      { numRuns: 500 },
    );
  });

  it('is UTF-8 for well-formed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(encoded(text)).toEqual(new TextEncoder().encode(text));
      }),
    );
  });

  it('gives a lone surrogate three bytes of its own, never U+FFFD', () => {
    expect([...encoded('\ud800')]).toEqual([0xed, 0xa0, 0x80]);
    expect([...encoded('\udfff')]).toEqual([0xed, 0xbf, 0xbf]);
    expect([...encoded('\ud83d\ude00')]).toEqual([0xf0, 0x9f, 0x98, 0x80]);
    expect([...encoded('\ud800a')]).toEqual([0xed, 0xa0, 0x80, 0x61]);
    expect([...encoded('\udc00\udc00')]).toEqual([0xed, 0xb0, 0x80, 0xed, 0xb0, 0x80]);
    expect([...encoded('\ude00\ud83d')]).toEqual([0xed, 0xb8, 0x80, 0xed, 0xa0, 0xbd]);
  });

  it('never gives two texts the same bytes', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        fc.pre(left !== right);
        expect(encoded(left)).not.toEqual(encoded(right));
      }),
    );
  });

  it('gives the same bytes whatever the size of the target', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 20 }), (text, capacity) => {
        expect(encoded(text, capacity)).toEqual(encoded(text));
      }),
    );
  });
});
