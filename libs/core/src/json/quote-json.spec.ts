import fc from 'fast-check';
import { parseJson } from './parse-json';
import { quoteJson } from './quote-json';

const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.integer({ min: 0, max: 0x30 }),
    ),
  )
  .map((units) => String.fromCharCode(...units));

describe('quoteJson', () => {
  it('parses back to the same code units', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseJson(quoteJson(text))).toMatchObject({ kind: 'string', value: text });
      }),
    );
  });

  it('is well-formed Unicode without control characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(quoteJson(text)).not.toMatch(/\p{Surrogate}|[\0-\x1f]/u);
      }),
    );
  });

  it('leaves other characters as they are', () => {
    expect(quoteJson('é☃😀\u2028/\x7f')).toBe('"é☃😀\u2028/\x7f"');
    expect(quoteJson('\0\ud800"\\\n')).toBe(String.raw`"\u0000\ud800\"\\\n"`);
  });
});
