/**
 * Insertions, deletions, replacements and swaps of neighbours between two texts; any number above `limit` once it is
 * exceeded.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let best = row;
    const character = left.charCodeAt(row - 1);
    for (let column = 1; column <= right.length; column++) {
      const other = right.charCodeAt(column - 1);
      const replaced = (previous[column - 1] ?? 0) + (character === other ? 0 : 1);
      let distance = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap =
        row > 1 && column > 1 && character === right.charCodeAt(column - 2) && left.charCodeAt(row - 2) === other;
      if (isSwap) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
      if (distance < best) best = distance;
    }
    if (best > limit) return limit + 1;
    beforeLast = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
