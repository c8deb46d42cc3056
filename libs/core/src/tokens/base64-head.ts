const INVALID = 255;

const VALUES = ((): Uint8Array => {
  const values = new Uint8Array(128).fill(INVALID);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  // base64url, which some clients send
  values['-'.charCodeAt(0)] = 62;
  values['_'.charCodeAt(0)] = 63;
  return values;
})();

/**
 * The first bytes of base64 or base64url text, at most `maxBytes`; a `data:...;base64,` prefix is passed over and line
 * breaks are ignored. Stops at the first padding or foreign character; never throws.
 */
export function decodeBase64Head(text: string, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(maxBytes, Math.ceil((text.length * 3) / 4)));
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  for (let index = startOfContent(text); index < text.length && length < bytes.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x0a || unit === 0x0d) continue;
    const value = VALUES[unit] ?? INVALID;
    if (value === INVALID) break;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[length++] = (bits >> bitCount) & 0xff;
    }
  }
  return bytes.subarray(0, length);
}

function startOfContent(text: string): number {
  if (!text.startsWith('data:')) return 0;
  // A data URL has its comma within the media type; searching a megabyte for it would be wasted.
  const comma = text.slice(0, 256).indexOf(',');
  return comma < 0 ? 0 : comma + 1;
}
