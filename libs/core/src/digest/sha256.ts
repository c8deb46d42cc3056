import { bytesToHex } from './hex';
import { SHA256_BLOCK_BYTES, compressSha256Blocks, initialSha256State } from './sha256-block';
import { WTF8_MAX_BYTES_PER_STEP, encodeWtf8 } from './wtf8';

/** Bytes of a SHA-256 digest. */
export const SHA256_DIGEST_BYTES = 32;

/** Bytes that collect before they are compressed: whole blocks, small enough for the first-level cache. */
const BUFFER_BYTES = 64 * SHA256_BLOCK_BYTES;

const LENGTH_FIELD_BYTES = 8;

/** Work space of every one-shot digest: they are synchronous, so one at a time, and allocating it would cost more. */
const oneShotBuffer = new Uint8Array(BUFFER_BYTES);

/**
 * SHA-256 over a sequence of texts and bytes.
 *
 * States: open (`update` any number of times) -> finished (`digest` once); a call after that throws a TypeError.
 * Texts count as WTF-8: the UTF-8 bytes where the text is well formed, and bytes of their own for a lone surrogate.
 * Each text is encoded alone, so a surrogate pair that is split over two updates counts as two lone surrogates.
 */
export class Sha256 {
  private readonly state = initialSha256State();
  private readonly bufferView: DataView;
  private bufferedBytes = 0;
  private totalBytes = 0;
  private finished = false;

  /** `buffer` is the work space of this digest alone until it is finished: whole blocks, two at least. */
  constructor(private readonly buffer: Uint8Array = new Uint8Array(BUFFER_BYTES)) {
    this.bufferView = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }

  /** Appends a text or bytes; returns itself. */
  update(content: string | Uint8Array): this {
    if (this.finished) throw new TypeError('The digest is finished: update is not possible any more');
    if (typeof content === 'string') this.appendText(content);
    else this.appendBytes(content);
    return this;
  }

  /** Ends the message and returns its 32 digest bytes. */
  digest(): Uint8Array {
    if (this.finished) throw new TypeError('The digest is finished: it is given only once');
    this.finished = true;
    this.compressBuffered();
    this.buffer[this.bufferedBytes] = 0x80;
    const paddedBytes =
      this.bufferedBytes + 1 + LENGTH_FIELD_BYTES > SHA256_BLOCK_BYTES ? 2 * SHA256_BLOCK_BYTES : SHA256_BLOCK_BYTES;
    const lengthOffset = paddedBytes - LENGTH_FIELD_BYTES;
    this.buffer.fill(0, this.bufferedBytes + 1, lengthOffset);
    this.bufferView.setUint32(lengthOffset, Math.floor(this.totalBytes / 0x2000_0000));
    this.bufferView.setUint32(lengthOffset + 4, (this.totalBytes % 0x2000_0000) * 8);
    compressSha256Blocks(this.state, this.bufferView, 0, paddedBytes);
    const digest = new Uint8Array(SHA256_DIGEST_BYTES);
    const view = new DataView(digest.buffer);
    this.state.forEach((word, index) => {
      view.setInt32(index * 4, word);
    });
    return digest;
  }

  private appendText(text: string): void {
    const progress = { textOffset: 0, byteOffset: this.bufferedBytes };
    while (progress.textOffset < text.length) {
      const before = progress.byteOffset;
      encodeWtf8(text, this.buffer, progress);
      this.totalBytes += progress.byteOffset - before;
      this.bufferedBytes = progress.byteOffset;
      if (this.bufferedBytes > this.buffer.length - WTF8_MAX_BYTES_PER_STEP) this.compressBuffered();
      progress.byteOffset = this.bufferedBytes;
    }
  }

  private appendBytes(bytes: Uint8Array): void {
    this.totalBytes += bytes.length;
    this.compressBuffered();
    let read = 0;
    if (this.bufferedBytes > 0) {
      read = Math.min(SHA256_BLOCK_BYTES - this.bufferedBytes, bytes.length);
      this.buffer.set(bytes.subarray(0, read), this.bufferedBytes);
      this.bufferedBytes += read;
      this.compressBuffered();
    }
    const wholeEnd = read + Math.floor((bytes.length - read) / SHA256_BLOCK_BYTES) * SHA256_BLOCK_BYTES;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    compressSha256Blocks(this.state, view, read, wholeEnd);
    this.buffer.set(bytes.subarray(wholeEnd), this.bufferedBytes);
    this.bufferedBytes += bytes.length - wholeEnd;
  }

  /** Compresses the whole blocks of the buffer; fewer than one block stays, at its beginning. */
  private compressBuffered(): void {
    const wholeBytes = this.bufferedBytes - (this.bufferedBytes % SHA256_BLOCK_BYTES);
    if (wholeBytes === 0) return;
    compressSha256Blocks(this.state, this.bufferView, 0, wholeBytes);
    this.buffer.copyWithin(0, wholeBytes, this.bufferedBytes);
    this.bufferedBytes -= wholeBytes;
  }
}

/** SHA-256 of a text (its WTF-8 bytes) or of bytes: 32 bytes. */
export function sha256Bytes(content: string | Uint8Array): Uint8Array {
  return new Sha256(oneShotBuffer).update(content).digest();
}

/**
 * SHA-256 of a text (its WTF-8 bytes) or of bytes: 64 lower-case hexadecimal digits.
 *
 * Equal to the SHA-256 of the UTF-8 bytes for well-formed text; a lone surrogate is encoded as itself and never
 * replaced, so two different texts never share a digest by their encoding.
 */
export function sha256Hex(content: string | Uint8Array): string {
  return bytesToHex(sha256Bytes(content));
}
