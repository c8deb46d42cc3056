import type { SealedText } from './critical-field';

/** Brackets around a placeholder. */
export interface Marker {
  readonly open: string;
  readonly close: string;
}

const PAIRS: readonly Marker[] = [
  { open: '⟦', close: '⟧' },
  { open: '⟪', close: '⟫' },
  { open: '⦃', close: '⦄' },
  { open: '⧼', close: '⧽' },
];
const FIRST_PAIR: Marker = { open: '⟦', close: '⟧' };

/** Brackets that the text does not hold: the first pair of a fixed list, else a longer run than any in the text. */
export function markerFor(text: string): Marker {
  const free = PAIRS.find(({ open, close }) => !text.includes(open) && !text.includes(close));
  if (free !== undefined) return free;
  const width = longestRun(text) + 1;
  return { open: FIRST_PAIR.open.repeat(width), close: FIRST_PAIR.close.repeat(width) };
}

function longestRun(text: string): number {
  let longest = 0;
  let current = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const character = text.charAt(offset);
    current = character === FIRST_PAIR.open || character === FIRST_PAIR.close ? current + 1 : 0;
    if (current > longest) longest = current;
  }
  return longest;
}

/** The brackets that a sealed text's placeholders use; none where it has no placeholder. */
export function markersOf(sealed: SealedText): readonly Marker[] {
  const byOpen = new Map<string, Marker>();
  for (const placeholder of sealed.fields.keys()) {
    const open = /^\D+/.exec(placeholder)?.[0] ?? '';
    const close = /[^a-z]+$/.exec(placeholder)?.[0] ?? '';
    byOpen.set(open, { open, close });
  }
  return [...byOpen.values()];
}

/** The pair that a reader expects where nothing was sealed. */
export const DEFAULT_MARKER = FIRST_PAIR;
