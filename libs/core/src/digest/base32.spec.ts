import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { base32Digest } from './base32';

/** The same through a big integer: the leading bits of the digest, five for each character. */
function expectedDigest(text: string, chars: number): string {
  const bits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`) >> BigInt(256 - 5 * chars);
  const radix32 = bits.toString(32).padStart(chars, '0');
  return [...radix32].map((digit) => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(parseInt(digit, 32))).join('');
}

describe('base 32 digest', () => {
  it('is the leading bits of the SHA-256, in an alphabet without i, l, o and u', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 51 }), (text, chars) => {
        const digest = base32Digest(text, chars);
        expect(digest).toBe(expectedDigest(text, chars));
        expect(digest).toMatch(/^[0-9a-hjkmnp-tv-z]+$/);
      }),
    );
  });

  it.each([0, -1, 1.5, 52, Number.NaN])('refuses %p characters', (chars) => {
    expect(() => base32Digest('text', chars)).toThrow(RangeError);
  });
});
