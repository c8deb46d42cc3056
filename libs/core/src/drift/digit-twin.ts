import { editDistance } from './edit-distance';
import type { NumberContext } from './number-context';
import { isSameUnit } from './unit-drift';
import type { Quantity } from './quantity';

const SHORTEST_DIGIT_ID = 5;
/** Nobody counts that far without separators. */
const SHORTEST_UNTYPED_ID = 10;

/** Digits that a source holds in quotes, or with zeros before them, name something and count nothing. */
export function isDigitId({ text, unit }: Quantity, other: Quantity): boolean {
  if (unit !== undefined || other.unit !== undefined || text.length < SHORTEST_DIGIT_ID) return false;
  return (
    /^\d+$/.test(text) &&
    /^\d+$/.test(other.text) &&
    (other.isQuoted || other.text.startsWith('0') || text.length >= SHORTEST_UNTYPED_ID)
  );
}

export interface DigitTwin {
  readonly quantity: Quantity;
  readonly distance: number;
}

/** A number whose digits were mistaken for these. */
export function digitTwin(
  quantity: Quantity,
  candidates: readonly Quantity[],
  context: NumberContext,
): DigitTwin | undefined {
  const digits = digitsOf(quantity.text);
  if (digits.length < 2) return undefined;
  const preferred = new Set(context.aligned.map(({ field }) => field.start));
  let best: (DigitTwin & { readonly rank: number }) | undefined;
  const limit = digits.length > 4 ? 2 : 1;
  for (const candidate of candidates) {
    const other = digitsOf(candidate.text);
    if (Math.abs(other.length - digits.length) > 1 || !isSameUnit(quantity, candidate)) continue;
    const distance = editDistance(digits, other, limit);
    if (distance > limit) continue;
    const rank =
      distance -
      (preferred.has(candidate.start) ? 0.5 : 0) +
      (other.length === digits.length ? 0 : 0.25) +
      (candidate.unit?.dimension === quantity.unit?.dimension ? 0 : 0.5);
    if (best === undefined || rank < best.rank) best = { quantity: candidate, distance, rank };
  }
  return best;
}

/** A number's digits without separators. */
export function digitsOf(text: string): string {
  return text.replaceAll(',', '');
}
