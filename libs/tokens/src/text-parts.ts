/** UTF-16 units after which the next exact cut is taken: small enough for a thread to answer in milliseconds. */
export const PART_UNITS = 64 * 1024;
/**
 * UTF-16 units after which a text is cut even without an exact place. It bounds the memory of one split (a list of all
 * its pieces) and the stack of the split's regular expression.
 */
export const MAX_PART_UNITS = 1024 * 1024;

/**
 * Cuts `text` into parts whose token counts sum up to the count of the whole.
 *
 * Both encodings first split a text into pieces and never merge across them. A piece never goes on from an ASCII letter
 * or digit to a blank or an ASCII mark other than the apostrophe (`it's`), and no alternative of the split looks back,
 * so a cut at such a place changes nothing. A text with no such place for {@link MAX_PART_UNITS} units (a million
 * letters in a row, or of a script without blanks and ASCII marks) is cut there: that may move its count by a few
 * tokens for each million units, and never cuts a surrogate pair.
 */
export function cutIntoParts(
  text: string,
  partUnits: number = PART_UNITS,
  maxPartUnits: number = MAX_PART_UNITS,
): readonly string[] {
  if (text.length <= partUnits) return [text];
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > partUnits) {
    const cut = findCut(text, start + partUnits, Math.min(text.length, start + maxPartUnits));
    if (cut >= text.length) break;
    parts.push(text.slice(start, cut));
    start = cut;
  }
  parts.push(text.slice(start));
  return parts;
}

function findCut(text: string, from: number, to: number): number {
  for (let index = from; index < to; index++) {
    if (isAsciiAlphanumeric(text.charCodeAt(index - 1)) && endsAlphanumericPiece(text.charCodeAt(index))) return index;
  }
  return to < text.length && isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
}

function isAsciiAlphanumeric(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a);
}

function endsAlphanumericPiece(unit: number): boolean {
  if (unit === 0x27) return false;
  return (unit >= 0x20 && unit < 0x7f && !isAsciiAlphanumeric(unit)) || (unit >= 0x09 && unit <= 0x0d);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
