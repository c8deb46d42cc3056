import { encodeWtf8, WTF8_MAX_BYTES_PER_STEP } from './wtf8';

/** Bytes of a text as the archive keeps them: UTF-8, and three bytes for a lone surrogate (WTF-8), so nothing is lost. */
export function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3 + WTF8_MAX_BYTES_PER_STEP);
  const progress = { textOffset: 0, byteOffset: 0 };
  encodeWtf8(text, bytes, progress);
  return bytes.slice(0, progress.byteOffset);
}

/** Reads what `encodeText` wrote. Throws a RangeError on bytes that it never writes. */
export function decodeText(bytes: Uint8Array): string {
  const chunks: string[] = [];
  let units: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const [point, length] = codePointAt(bytes, at);
    at += length;
    if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    else units.push(point);
    if (units.length >= UNITS_PER_CHUNK) {
      chunks.push(String.fromCharCode(...units));
      units = [];
    }
  }
  chunks.push(String.fromCharCode(...units));
  return chunks.join('');
}

/** Few enough for the argument list of one call on every engine. */
const UNITS_PER_CHUNK = 8_192;

function codePointAt(bytes: Uint8Array, at: number): readonly [point: number, length: number] {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, 1];
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) throw new RangeError(`No text: byte ${first} at ${at}`);
  let point = first & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next += 1) {
    const byte = bytes[next];
    if (byte === undefined || (byte & 0xc0) !== 0x80) throw new RangeError(`No text: broken sequence at ${at}`);
    point = (point << 6) | (byte & 0x3f);
  }
  return [point, length];
}
