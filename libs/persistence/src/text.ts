/**
 * Text of windows, as the database can hold it. Such text may have NUL, which `text` columns refuse, and lone
 * surrogates, which UTF-8 has no bytes for.
 */

/** With the `u` flag a surrogate pair is one character, so this finds lone ones only. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** UTF-8, with three bytes for a lone surrogate (WTF-8): the bytes that the core's digests are made of. */
export function textToBytes(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of text.matchAll(LONE_SURROGATES)) {
    const unit = match[0].charCodeAt(0);
    parts.push(Buffer.from(text.slice(end, match.index), 'utf8'));
    parts.push(Buffer.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)));
    end = match.index + 1;
  }
  parts.push(Buffer.from(text.slice(end), 'utf8'));
  return Buffer.concat(parts);
}

/** The text that `textToBytes` made these bytes of. Throws a TypeError on bytes that are no text. */
export function bytesToText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let start = 0;
  for (let at = buffer.indexOf(0xed); at !== -1; at = buffer.indexOf(0xed, at + 1)) {
    const second = buffer[at + 1] ?? 0;
    const third = buffer[at + 2] ?? 0;
    // ED A0..BF is what UTF-8 would need for a surrogate; anything below belongs to an ordinary character.
    if (second < 0xa0 || (third & 0xc0) !== 0x80) continue;
    text +=
      strict.decode(buffer.subarray(start, at)) + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    start = at + 3;
  }
  return text + strict.decode(buffer.subarray(start));
}

const ESCAPED = '\u{1a}json:';

/**
 * A text from a window (element id, target, label) as a `text` column can hold it: itself, or marked and escaped when
 * it has NUL or lone surrogates. Different texts stay different, so unique keys keep their meaning.
 */
export function storedText(text: string): string {
  return !LONE_SURROGATE.test(text) && !text.includes('\0') && !text.startsWith(ESCAPED)
    ? text
    : ESCAPED + JSON.stringify(text);
}

/** The text that `storedText` was made of. */
export function originalText(stored: string): string {
  return stored.startsWith(ESCAPED) ? String(JSON.parse(stored.slice(ESCAPED.length))) : stored;
}
