/** Where a long text may be cut, best first: between paragraphs, lines, sentences, words. */
const BREAKS = ['\n\n', '\n', '. ', ' '] as const;
/** A piece is filled at least this far before a worse break is taken. */
const LEAST_FILLED = 0.5;
/** No placeholder is longer. */
const LONGEST_PLACEHOLDER = 60;

/** Pieces of at most `maxCharacters`, whole when joined; never cut inside a placeholder or a surrogate pair. */
export function splitText(text: string, maxCharacters: number): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > maxCharacters) {
    const to = breakBefore(text, from, from + maxCharacters);
    pieces.push(text.slice(from, to));
    from = to;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}

function breakBefore(text: string, from: number, limit: number): number {
  const least = from + Math.floor((limit - from) * LEAST_FILLED);
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark, limit - mark.length);
    if (at >= least) return at + mark.length;
  }
  const open = openPlaceholder(text, from, limit);
  if (open !== undefined) return open;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff && limit - 1 > from ? limit - 1 : limit;
}

function openPlaceholder(text: string, from: number, limit: number): number | undefined {
  const tail = text.slice(Math.max(from, limit - LONGEST_PLACEHOLDER), limit);
  const open = Math.max(...['⟦', '⟪', '⦃', '⧼'].map((bracket) => tail.lastIndexOf(bracket)));
  const close = Math.max(...['⟧', '⟫', '⦄', '⧽'].map((bracket) => tail.lastIndexOf(bracket)));
  const at = limit - tail.length + open;
  return open > close && at > from ? at : undefined;
}
