import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

type Bytes = Uint8Array<ArrayBuffer>;

/** First byte of everything sealed: the layout that follows. */
const LAYOUT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Layout, nonce and tag; the ciphertext follows. */
export const SEAL_HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** AES-256-GCM as `0x01 | nonce | tag | ciphertext`. `context` is authenticated and not stored. A nonce is given only to repeat a seal. */
export function sealBytes(
  key: KeyObject,
  plain: Uint8Array,
  context: string,
  nonce: Uint8Array = randomBytes(NONCE_BYTES),
): Bytes {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const text = cipher.update(plain);
  cipher.final();
  const sealed = new Uint8Array(SEAL_HEAD_BYTES + text.length);
  sealed[0] = LAYOUT;
  sealed.set(nonce, 1);
  sealed.set(cipher.getAuthTag(), 1 + NONCE_BYTES);
  sealed.set(text, SEAL_HEAD_BYTES);
  return sealed;
}

/** What was sealed. Throws on another key, another context and any other byte. */
export function openBytes(key: KeyObject, sealed: Uint8Array, context: string): Buffer {
  if (sealed[0] !== LAYOUT || sealed.length < SEAL_HEAD_BYTES) throw new RangeError('these bytes are not sealed');
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(sealed), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, SEAL_HEAD_BYTES));
  const plain = decipher.update(sealed.subarray(SEAL_HEAD_BYTES));
  decipher.final();
  return plain;
}

export function nonceOf(sealed: Uint8Array): Uint8Array {
  return sealed.subarray(1, 1 + NONCE_BYTES);
}
