/** Most bytes that one step of {@link encodeWtf8} writes. */
export const WTF8_MAX_BYTES_PER_STEP = 4;

/** How far {@link encodeWtf8} came: the next code unit to read and the next byte to write. */
export interface Wtf8Progress {
  /** Index of the next UTF-16 code unit of the text. */
  textOffset: number;
  /** Index of the next byte of the target. */
  byteOffset: number;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/**
 * Encodes text from `progress` on into `target` until the text ends or fewer than four bytes are free,
 * and moves `progress` forward.
 *
 * The encoding is WTF-8: UTF-8 for well-formed text, and three bytes for a lone surrogate, so two different
 * strings never have the same bytes. A surrogate pair is never split over two calls.
 */
export function encodeWtf8(text: string, target: Uint8Array, progress: Wtf8Progress): void {
  const textLength = text.length;
  const lastStart = target.length - WTF8_MAX_BYTES_PER_STEP;
  let read = progress.textOffset;
  let write = progress.byteOffset;
  while (read < textLength && write <= lastStart) {
    const unit = text.charCodeAt(read++);
    if (unit < 0x80) {
      target[write++] = unit;
    } else if (unit < 0x800) {
      target[write++] = 0xc0 | (unit >> 6);
      target[write++] = 0x80 | (unit & 0x3f);
    } else {
      const next = isHighSurrogate(unit) && read < textLength ? text.charCodeAt(read) : 0;
      if (isLowSurrogate(next)) {
        read++;
        const point = 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
        target[write++] = 0xf0 | (point >> 18);
        target[write++] = 0x80 | ((point >> 12) & 0x3f);
        target[write++] = 0x80 | ((point >> 6) & 0x3f);
        target[write++] = 0x80 | (point & 0x3f);
      } else {
        target[write++] = 0xe0 | (unit >> 12);
        target[write++] = 0x80 | ((unit >> 6) & 0x3f);
        target[write++] = 0x80 | (unit & 0x3f);
      }
    }
  }
  progress.textOffset = read;
  progress.byteOffset = write;
}
