import { bytesToHex } from './hex';
import { Sha256, sha256Bytes } from './sha256';
import { SHA256_BLOCK_BYTES } from './sha256-block';
import { encodeWtf8 } from './wtf8';

/** A UTF-16 code unit takes at most three bytes; four more are free for the encoder's last step. */
function keyBytes(key: string | Uint8Array): Uint8Array {
  if (typeof key !== 'string') return key;
  const bytes = new Uint8Array(key.length * 3 + 4);
  const progress = { textOffset: 0, byteOffset: 0 };
  encodeWtf8(key, bytes, progress);
  return bytes.subarray(0, progress.byteOffset);
}

/**
 * HMAC-SHA-256 (RFC 2104) of a text or bytes: 64 lower-case hexadecimal digits.
 *
 * Key and text count as WTF-8 when they are strings. Compare results in constant time where the caller can probe.
 */
export function hmacSha256Hex(key: string | Uint8Array, content: string | Uint8Array): string {
  const givenKey = keyBytes(key);
  const shortKey = givenKey.length > SHA256_BLOCK_BYTES ? sha256Bytes(givenKey) : givenKey;
  const innerPad = new Uint8Array(SHA256_BLOCK_BYTES).fill(0x36);
  const outerPad = new Uint8Array(SHA256_BLOCK_BYTES).fill(0x5c);
  shortKey.forEach((byte, index) => {
    innerPad[index] = byte ^ 0x36;
    outerPad[index] = byte ^ 0x5c;
  });
  const innerDigest = new Sha256().update(innerPad).update(content).digest();
  return bytesToHex(new Sha256().update(outerPad).update(innerDigest).digest());
}
