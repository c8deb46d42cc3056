/** A text as bytes, and where they differ from those of the other side. */
export interface DifferingSide {
  readonly text: string;
  readonly base64: string;
  readonly differs: { readonly start: number; readonly end: number };
}

/** Two texts as UTF-8 with the range between their common beginning and their common end. */
export function differingSides(
  expected: string | null,
  observed: string | null,
): { readonly expected: DifferingSide | null; readonly observed: DifferingSide | null } {
  const [before, after] = [bytesOf(expected), bytesOf(observed)];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const side = (text: string | null, bytes: Buffer): DifferingSide | null =>
    text === null ? null : { text, base64: bytes.toString('base64'), differs: { start, end: bytes.length - end } };
  return { expected: side(expected, before), observed: side(observed, after) };
}

function bytesOf(text: string | null): Buffer {
  return Buffer.from(text ?? '', 'utf8');
}
