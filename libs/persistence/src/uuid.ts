import { createHash, randomBytes } from 'node:crypto';

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function stamp(bytes: Buffer, version: number): Buffer {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

/** A fresh UUIDv7: grows with time, so that indexes stay dense. Its clock orders nothing; the database's does. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  return format(stamp(bytes, 7));
}

/** The same UUID (version 8) for the same words: what a repeated pass writes again is the row that it wrote before. */
export function derivedId(...words: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest();
  return format(stamp(digest.subarray(0, 16), 8));
}
