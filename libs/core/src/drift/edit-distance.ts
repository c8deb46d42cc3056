/** Insertions, deletions and replacements between two texts; any number above `limit` once it is exceeded. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= right.length; column++) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      const distance = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(distance);
      if (distance < best) best = distance;
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
