/** Longer words are compared by nobody's eye. */
const MAX_WORD_CHARS = 80;

/** The known word that was probably meant; undefined when none is near. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_CHARS) return undefined;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (candidate.length > MAX_WORD_CHARS) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  if (best === undefined) return undefined;
  return best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

/** Edits (insert, delete, replace) between two short words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
