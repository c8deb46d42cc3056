import { sourceOf, type JsonArray } from './json-node';

/** One item of a rebuilt array: an item of the source, kept or replaced in place, or new serialized text. */
export type ArrayPart = { readonly item: number; readonly replacement?: string } | { readonly insert: string };

/**
 * The source text of an array, made of the given parts in their order.
 *
 * A kept item is exactly its source text. Between two source items that are neighbours in the source as well, comma
 * and white space stay as they are (a replaced item still stands in its place); elsewhere a plain comma separates.
 * White space at both ends of the array stays. All items kept in order gives the identical text.
 * Throws a RangeError for an item that the array has not, or that comes twice.
 */
export function rebuildArray(text: string, array: JsonArray, parts: readonly ArrayPart[]): string {
  const first = array.items[0];
  const last = array.items.at(-1);
  const pieces: string[] = [text.slice(array.start, first === undefined ? array.end - 1 : first.start)];
  const used = new Set<number>();
  let previousItem: number | undefined;
  parts.forEach((part, position) => {
    const item = 'item' in part ? part.item : undefined;
    if (position > 0) pieces.push(separator(text, array, previousItem, item));
    pieces.push('item' in part ? itemText(text, array, part, used) : part.insert);
    previousItem = item;
  });
  pieces.push(text.slice(last === undefined ? array.end - 1 : last.end, array.end));
  return pieces.join('');
}

function separator(text: string, array: JsonArray, before: number | undefined, after: number | undefined): string {
  if (before === undefined || after !== before + 1) return ',';
  const left = array.items[before];
  const right = array.items[after];
  return left === undefined || right === undefined ? ',' : text.slice(left.end, right.start);
}

function itemText(
  text: string,
  array: JsonArray,
  part: { readonly item: number; readonly replacement?: string },
  used: Set<number>,
): string {
  const node = array.items[part.item];
  if (node === undefined || used.has(part.item)) {
    const problem = node === undefined ? 'does not exist' : 'is used twice';
    throw new RangeError(`Item ${String(part.item)} of an array of ${String(array.items.length)} ${problem}`);
  }
  used.add(part.item);
  return part.replacement ?? sourceOf(text, node);
}
