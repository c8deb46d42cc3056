/** Line ends, controls, and the marks that turn the direction of text: in one line of a message they only deceive. */
const NOT_IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;
const ELLIPSIS = '…';

/** The longest start of a text within a number of UTF-8 bytes, cut between characters. */
function startWithin(text: string, mostBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** A text as one line that is valid Unicode and no longer than `mostBytes` of UTF-8, with an ellipsis where it was cut. */
export function plainLine(text: string, mostBytes: number): string {
  // No more is looked at than could stay: a name may be megabytes.
  const line = text
    .slice(0, mostBytes + 1)
    .toWellFormed()
    .replace(NOT_IN_A_LINE, ' ')
    .trim();
  if (text.length <= mostBytes && Buffer.byteLength(line) <= mostBytes) return line;
  return `${startWithin(line, mostBytes - Buffer.byteLength(ELLIPSIS))}${ELLIPSIS}`;
}

/** A link as it may stand in a message: http or https, short enough to be whole. Null otherwise. */
export function plainLink(url: string | null, mostCharacters = 2_000): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  const { href } = parsed;
  return /^https?:$/.test(parsed.protocol) && href.length <= mostCharacters ? href : null;
}
