import { decodeBase64Head } from './base64-head';

/** Size of an image in pixels, as stored (a rotation in its metadata swaps the two, which no token formula notices). */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes that hold the size of a PNG, GIF or WebP. */
const SHORT_HEAD_BYTES = 32;
/** A JPEG tells its size after its metadata: an EXIF thumbnail and a colour profile of 64 kB each and some more. */
const JPEG_HEAD_BYTES = 256 * 1024;

/**
 * Reads the pixel size from the first bytes of a PNG, JPEG, GIF or WebP file; `undefined` for anything else, for a
 * head that is too short and for a size of zero.
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const size = sizeOfPng(bytes) ?? sizeOfGif(bytes) ?? sizeOfWebp(bytes) ?? sizeOfJpeg(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** {@link imageSize} of base64 text or a base64 data URL; decodes no more than it needs. */
export function imageSizeOfBase64(base64: string): ImageSize | undefined {
  const head = decodeBase64Head(base64, SHORT_HEAD_BYTES);
  return isJpeg(head) ? imageSize(decodeBase64Head(base64, JPEG_HEAD_BYTES)) : imageSize(head);
}

function sizeOfPng(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, 0, '\u0089PNG\r\n\u001a\n') || !startsWith(bytes, 12, 'IHDR') || bytes.length < 24)
    return undefined;
  return { width: bigEndian(bytes, 16, 4), height: bigEndian(bytes, 20, 4) };
}

function sizeOfGif(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, 0, 'GIF8') || bytes.length < 10) return undefined;
  return { width: littleEndian(bytes, 6, 2), height: littleEndian(bytes, 8, 2) };
}

function sizeOfWebp(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP') || bytes.length < 30) return undefined;
  if (startsWith(bytes, 12, 'VP8X')) {
    return { width: littleEndian(bytes, 24, 3) + 1, height: littleEndian(bytes, 27, 3) + 1 };
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const packed = littleEndian(bytes, 21, 4);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (startsWith(bytes, 12, 'VP8 ')) {
    return { width: littleEndian(bytes, 26, 2) & 0x3fff, height: littleEndian(bytes, 28, 2) & 0x3fff };
  }
  return undefined;
}

function sizeOfJpeg(bytes: Uint8Array): ImageSize | undefined {
  if (!isJpeg(bytes)) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (byteAt(bytes, at) !== 0xff) return undefined;
    const marker = byteAt(bytes, at + 1);
    if (marker === 0xff) {
      at++; // fill byte
    } else if (isStartOfFrame(marker)) {
      return { height: bigEndian(bytes, at + 5, 2), width: bigEndian(bytes, at + 7, 2) };
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2; // markers without a body
    } else {
      at += 2 + Math.max(2, bigEndian(bytes, at + 2, 2));
    }
  }
  return undefined;
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which share their range. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function startsWith(bytes: Uint8Array, at: number, latin1: string): boolean {
  for (let index = 0; index < latin1.length; index++) if (bytes[at + index] !== latin1.charCodeAt(index)) return false;
  return true;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function bigEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value = value * 256 + byteAt(bytes, at + index);
  return value;
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + byteAt(bytes, at + index);
  return value;
}
