import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Sha256, sha256Bytes, sha256Hex } from './sha256';

const expectedHex = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

describe('SHA-256', () => {
  it('gives the digests of FIPS 180-4', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex('a'.repeat(1_000_000))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
  });

  it('agrees with the platform for every length around the blocks and the buffer', () => {
    for (let length = 0; length < 300; length++) {
      const text = 'x'.repeat(length);
      expect(sha256Hex(text)).toBe(expectedHex(text));
    }
    for (let length = 4090; length < 4240; length++) {
      const text = '☃'.repeat(length / 3) + 'x'.repeat(length % 3);
      expect(sha256Hex(text)).toBe(expectedHex(text));
    }
  });

  it('agrees with the platform for well-formed texts, repeated past the size of the buffer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat(300), (text, count) => {
        expect(sha256Hex(text.repeat(count))).toBe(expectedHex(text.repeat(count)));
      }),
    );
  });

  it('agrees with the platform for bytes, also in the middle of a larger buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(100), (bytes, offset) => {
        const view = bytes.subarray(Math.min(offset, bytes.length));
        expect(sha256Hex(view)).toBe(expectedHex(view));
      }),
    );
  });

  it('tells a lone surrogate from its neighbours and from U+FFFD', () => {
    const texts = ['\ud800', '\ud801', '\udc00', '\ufffd', '\ud800\udc00', '\udc00\ud800', 'a\ud800', '\ud800a'];
    expect(new Set(texts.map(sha256Hex)).size).toBe(texts.length);
  });

  it('gives the digest of the whole for any split into updates', () => {
    const pieces = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.uint8Array({ maxLength: 200 })));
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = createHash('sha256');
        const digest = new Sha256();
        for (const part of parts) {
          whole.update(part);
          digest.update(part);
        }
        expect(Buffer.from(digest.digest()).toString('hex')).toBe(whole.digest('hex'));
      }),
    );
  });

  it('keeps an open digest apart from one-shot digests made meanwhile', () => {
    const open = new Sha256().update('first ');
    sha256Hex('something else that is longer than a block of sixty-four bytes, to be sure of it');
    expect(open.update('second').digest()).toEqual(sha256Bytes('first second'));
  });

  it('refuses to go on after the end', () => {
    const digest = new Sha256();
    digest.digest();
    expect(() => digest.update('more')).toThrow(TypeError);
    expect(() => digest.digest()).toThrow(TypeError);
  });
});
