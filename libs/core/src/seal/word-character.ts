const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Whether a code unit is an ASCII digit. */
export function isDigitCode(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a code unit is an ASCII letter, an ASCII digit or an underscore. */
export function isAsciiWordCode(code: number): boolean {
  return isDigitCode(code) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** Whether the character at an offset is a letter, mark, digit or underscore of any script; false outside the text. */
export function isWordAt(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (Number.isNaN(code)) return false;
  if (code < 0x80) return isAsciiWordCode(code);
  const point = isLowSurrogate(code) ? text.codePointAt(offset - 1) : text.codePointAt(offset);
  return point !== undefined && WORD.test(String.fromCodePoint(point));
}

/** Whether a code unit is the second half of a surrogate pair. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The offset itself, or one before it where it would cut a surrogate pair in two. */
export function wholeCharacterOffset(text: string, offset: number): number {
  const splits = isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1));
  return splits ? offset - 1 : offset;
}
