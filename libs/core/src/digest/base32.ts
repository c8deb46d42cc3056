import { sha256Bytes } from './sha256';

/** Crockford's base 32 in lower case: no i, l, o and u, so no letter is taken for another letter or a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Characters that a 256-bit digest fills completely; the next one would carry a single bit. */
const MAX_DIGEST_CHARS = 51;

/**
 * First `chars` characters of the SHA-256 of a text in lower-case Crockford base 32: five bits each, for handles.
 *
 * A shorter digest is a prefix of a longer one. Throws a RangeError unless `chars` is an integer from 1 to 51.
 */
export function base32Digest(content: string | Uint8Array, chars: number): string {
  if (!Number.isInteger(chars) || chars < 1 || chars > MAX_DIGEST_CHARS) {
    throw new RangeError(`A base 32 digest has 1 to ${String(MAX_DIGEST_CHARS)} characters, not ${String(chars)}`);
  }
  let digest = '';
  let bits = 0;
  let bitCount = 0;
  for (const byte of sha256Bytes(content)) {
    bits = (bits << 8) | byte;
    bitCount += 8;
    while (bitCount >= 5 && digest.length < chars) {
      bitCount -= 5;
      digest += ALPHABET.charAt((bits >> bitCount) & 31);
    }
    if (digest.length === chars) break;
    bits &= (1 << bitCount) - 1;
  }
  return digest;
}
