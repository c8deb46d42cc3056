import fc from 'fast-check';
import { bytesToText, originalText, storedText, textToBytes } from './text';

const anyUnits = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x1a, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff)),
  )
  .map((units) => String.fromCharCode(...units));

describe('text of windows', () => {
  it('comes back from its bytes whatever UTF-16 it is', () => {
    fc.assert(fc.property(anyUnits, (text) => bytesToText(textToBytes(text)) === text));
  });

  it('has the bytes of UTF-8 wherever UTF-8 has any', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textToBytes(text)).toEqual(Buffer.from(text, 'utf8'));
      }),
    );
  });

  it('is refused when the bytes are no text', () => {
    for (const bytes of [[0xff], [0xc3], [0xed], [0xed, 0xa0]]) {
      expect(() => bytesToText(Uint8Array.from(bytes))).toThrow('not valid');
    }
  });

  it('fits a text column and comes back from it', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const stored = storedText(text);
        expect(stored).not.toContain('\0');
        expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
        expect(originalText(stored)).toBe(text);
      }),
    );
  });

  it('stays as it is in a text column unless it has to be escaped', () => {
    expect(storedText('W1234 naïve \u{1f600} C:\\temp')).toBe('W1234 naïve \u{1f600} C:\\temp');
    expect(originalText(storedText(storedText('a\0b')))).toBe(storedText('a\0b'));
  });
});
