import type { JsonArray } from './json-node';
import type { TextEdit } from './text-edits';

/**
 * The edits that drop the items for which `keepIndex` says false.
 *
 * A dropped run takes the comma and white space behind it along, or those before it at the end of the array; all
 * other bytes stay. Do not mix with insertions into the same array: `rebuildArray` does both.
 */
export function removeItemsEdit(array: JsonArray, keepIndex: (index: number) => boolean): TextEdit[] {
  const edits: TextEdit[] = [];
  let lastKeptEnd: number | undefined;
  let runStart: number | undefined;
  let runEnd = array.start;
  array.items.forEach((item, index) => {
    if (!keepIndex(index)) {
      runStart ??= item.start;
      runEnd = item.end;
      return;
    }
    if (runStart !== undefined) edits.push({ start: runStart, end: item.start, replacement: '' });
    runStart = undefined;
    lastKeptEnd = item.end;
  });
  if (runStart !== undefined) edits.push({ start: lastKeptEnd ?? runStart, end: runEnd, replacement: '' });
  return edits;
}

/**
 * The edit that inserts serialized items before the item at `index`, or at the end where `index` is the number of
 * items; none where there is nothing to insert. Throws a RangeError for any other index.
 */
export function insertItemsEdit(array: JsonArray, index: number, serializedItems: readonly string[]): TextEdit[] {
  const count = array.items.length;
  if (!Number.isInteger(index) || index < 0 || index > count) {
    throw new RangeError(`An array of ${String(count)} items has no place ${String(index)} to insert at`);
  }
  if (serializedItems.length === 0) return [];
  const inserted = serializedItems.join(',');
  const following = array.items[index];
  if (following !== undefined) return [{ start: following.start, end: following.start, replacement: `${inserted},` }];
  const last = array.items.at(-1);
  if (last !== undefined) return [{ start: last.end, end: last.end, replacement: `,${inserted}` }];
  return [{ start: array.start + 1, end: array.start + 1, replacement: inserted }];
}
