import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A number in base 62, padded with zeros in front. */
export function toBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let at = 0; at < length; at += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Characters drawn evenly by the system's generator. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** Checksum of a text: CRC-32 in six characters. */
export function checksum(text: string): string {
  return toBase62(crc32(text), 6);
}
