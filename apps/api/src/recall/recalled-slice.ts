import type { RecalledText } from '@holdfast/contracts';
import { decodeText, encodeText } from '@holdfast/core';
import type { RecalledOriginal } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';
import { linesOf } from './text-lines';

/** A part of an original, or all of it. */
export interface Slice {
  readonly view: RecalledText;
  /** As archived: a lone surrogate has its three bytes. */
  readonly bytes: Uint8Array;
}

/** At most one of both is given. Throws FIELD_OUT_OF_RANGE for a part that the original does not have. */
export function sliceOf(
  found: RecalledOriginal,
  { lines, bytes }: { readonly lines: string | undefined; readonly bytes: string | undefined },
): Slice {
  const all = linesOf(found.text);
  const total = all.length;
  if (bytes !== undefined) {
    const [from, behind] = wholeCharacters(found.bytes, rangeOf('bytes', bytes, 0, found.bytes.byteLength - 1));
    const slice = found.bytes.subarray(from, behind);
    const first = lineAt(found.bytes, from);
    const last = Math.max(first, lineAt(found.bytes, Math.max(from, behind - 1)));
    return view(found, slice, from, { first, last, total });
  }
  if (lines === undefined) return view(found, found.bytes, 0, { first: 1, last: Math.max(total, 1), total });
  const [first, last] = rangeOf('lines', lines, 1, Math.max(total, 1));
  const slice = encodeText(all.slice(first - 1, last).join(''));
  return view(found, slice, encodeText(all.slice(0, first - 1).join('')).byteLength, { first, last, total });
}

function view(found: RecalledOriginal, bytes: Uint8Array, from: number, lines: RecalledText['lines']): Slice {
  return {
    bytes,
    view: {
      handle: found.handle,
      sha256: found.sha256,
      element_id: found.elementId,
      label: found.label,
      tokens: found.tokens,
      lines,
      bytes: { first: from, last: from + bytes.byteLength - 1, total: found.bytes.byteLength },
      text: decodeText(bytes),
    },
  };
}

/** First and last of a range, the last not behind the end. */
function rangeOf(name: string, text: string, lowest: number, highest: number): readonly [first: number, last: number] {
  const [first = lowest, last = lowest] = text.split('-').map(Number);
  if (first > last || first > highest) {
    throw requestProblem([
      { code: 'FIELD_OUT_OF_RANGE', path: `/${name}`, in: 'query', message: `lies outside of ${lowest}-${highest}` },
    ]);
  }
  return [first, Math.min(last, highest)];
}

/** The characters that lie in a range whole: begin of the first, and of what follows the last. */
function wholeCharacters(bytes: Uint8Array, [first, last]: readonly [number, number]): readonly [number, number] {
  const isMiddle = (at: number): boolean => at < bytes.byteLength && ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let from = first;
  while (isMiddle(from)) from += 1;
  let behind = last + 1;
  while (behind > from && isMiddle(behind)) behind -= 1;
  return [from, Math.max(from, behind)];
}

/** Number of the line that a byte stands in; CR, LF and CR LF each end one. */
function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at += 1) {
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) line += 1;
  }
  return line;
}
