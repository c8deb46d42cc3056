import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hmacSha256Hex } from './hmac';

const content = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.uint8Array({ maxLength: 200 }));

describe('HMAC-SHA-256', () => {
  it('gives the digest of RFC 4231, case 2', () => {
    expect(hmacSha256Hex('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('agrees with the platform for keys and texts of any length', () => {
    fc.assert(
      fc.property(content, content, (key, text) => {
        expect(hmacSha256Hex(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
      }),
    );
  });

  it('agrees with the platform around the block length of a key', () => {
    for (const length of [0, 63, 64, 65, 128]) {
      const key = 'k'.repeat(length);
      expect(hmacSha256Hex(key, 'text')).toBe(createHmac('sha256', key).update('text').digest('hex'));
    }
  });
});
