import { hmacSha256Hex } from '../digest';
import { apart, findSecrets } from './find-secrets';
import type { KnownSecrets } from './known-secrets';

/** Puts a mask in place of every secret of a text; a text without one comes back as it is. Masking twice is masking once. */
export type Mask = (text: string) => string;

const MASKED = /\[secret [a-z_]{1,40}(?: #[0-9a-f]{4})?\]/u;
const TAG_DIGITS = 4;

/**
 * The mask of a secret, `[secret password #3f9a]`: no byte of it, and the same tag for the same secret, so that lines
 * can be told apart. The tag is keyed: without the key nobody can try passwords on it. No key, no tag.
 */
export function createMask(key: string | Uint8Array | undefined, known?: KnownSecrets): Mask {
  const tags = new Map<string, string>();
  const tagOf = (secret: string): string => {
    if (key === undefined) return '';
    let tag = tags.get(secret);
    if (tag === undefined) {
      tag = ` #${hmacSha256Hex(key, `holdfast/secret/1\n${secret}`).slice(0, TAG_DIGITS)}`;
      tags.set(secret, tag);
    }
    return tag;
  };
  return (text) => {
    const spans = apart([...findSecrets(text), ...(known?.find(text) ?? [])]);
    if (spans.length === 0) return text;
    let masked = '';
    let reached = 0;
    for (const { kind, start, end } of spans) {
      masked += `${text.slice(reached, start)}[secret ${kind}${tagOf(text.slice(start, end))}]`;
      reached = end;
    }
    return masked + text.slice(reached);
  };
}

/** True when a text holds the mask of a secret. */
export function holdsMask(text: string): boolean {
  return MASKED.test(text);
}

/** True when `text` says what `content` says: byte for byte, or with its secrets masked. */
export function showsMasked(text: string, content: string, mask: Mask): boolean {
  return text.includes(content) || (holdsMask(content) && mask(text).includes(content));
}
