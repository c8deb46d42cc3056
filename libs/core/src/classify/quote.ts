/**
 * The beginning of a text on one line, in double quotes, as evidence shows it.
 *
 * Runs of white space become one space. A cut is marked with ` ...` and falls at a blank: a shortened identifier would
 * read like a real one.
 */
export function quoteStart(text: string, maxChars = 120): string {
  // Cut before the white space is folded: a result can be megabytes long.
  const head = text
    .slice(0, maxChars * 4)
    .trim()
    .replaceAll(/\s+/gu, ' ');
  const whole = head.length <= maxChars && (text.length <= maxChars * 4 || text.trimEnd().length <= maxChars * 4);
  return whole ? `"${head}"` : `"${cutWords(head, maxChars)} ..."`;
}

function cutWords(text: string, maxChars: number): string {
  const cut = text.lastIndexOf(' ', maxChars);
  return cut > 0 ? text.slice(0, cut) : cutChars(text, maxChars);
}

/** At most `maxChars` UTF-16 code units from the start, never half a surrogate pair. */
export function cutChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const code = text.charCodeAt(maxChars - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? maxChars - 1 : maxChars);
}
