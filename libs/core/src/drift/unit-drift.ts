import type { LiteralDrift } from './literal-drift';
import type { NumberContext } from './number-context';
import type { Quantity } from './quantity';
import { isSameUnitOf } from './units';

/** Whether the sources hold a number with that unit; a drift where they hold it with another one. */
export function unitDrift(quantity: Quantity, context: NumberContext): LiteralDrift | 'held' | undefined {
  const { unit } = quantity;
  const all = context.numbers.withAmount(quantity.amount);
  // A piece of a name or version supports a bare number only.
  const same = unit === undefined ? all : all.filter((one) => !one.isEmbedded);
  if (same.length === 0) return undefined;
  if (unit === undefined) return otherPrefix(quantity, same) ?? 'held';
  const measured = same.filter((one) => one.unit !== undefined);
  const isAgreed = measured.some((one) => one.unit !== undefined && isSameUnitOf(one.unit, unit));
  if (isAgreed) return 'held';
  const isAll = measured.length === same.length;
  const other = isAll
    ? measured[0]
    : measured.find((one) => one.unit?.family === unit.family && context.isAbout(one.start));
  if (other === undefined) {
    return hasWrongDuration(quantity, context) ? { kind: 'unit_changed', expected: quantity.text } : 'held';
  }
  if (context.isTolerant && isDuration(quantity, context)) return 'held';
  return { kind: 'unit_changed', expected: textOf(other), at: other.start };
}

const PREFIX = /^(?:[kKMGTPmunpcdhµμ]|[KMGT]i)$/;

/** The same number of the same unit with another prefix, whatever the unit: `32 wei` for `32 gwei`. */
function otherPrefix({ unitText }: Quantity, same: readonly Quantity[]): LiteralDrift | undefined {
  if (unitText.length < 2 || same.some((one) => one.unitText === unitText)) return undefined;
  const other = same.find((one) => {
    const [shorter, longer] = [unitText, one.unitText].sort((left, right) => left.length - right.length);
    if (shorter === undefined || longer === undefined || shorter.length < 2) return false;
    return longer.endsWith(shorter) && PREFIX.test(longer.slice(0, -shorter.length));
  });
  return other === undefined
    ? undefined
    : { kind: 'unit_changed', expected: `${other.text} ${other.unitText}`, at: other.start };
}

/** A time that follows from the sources' times, but in another unit. */
function hasWrongDuration({ amount, unit, decimals }: Quantity, { durations }: NumberContext): boolean {
  if (unit?.dimension !== 'time' || decimals < 2 || durations.has(round(amount * unit.factor))) return false;
  return [0.001, 1, 60, 3600].some((factor) => factor !== unit.factor && durations.has(round(amount * factor)));
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** A quantity as the source writes it, with its unit. */
export function textOf({ text, unit, unitText }: Quantity): string {
  if (unit === undefined || unitText === '') return text;
  return '$€£¥'.includes(unitText) ? `${unitText}${text}` : `${text} ${unitText}`;
}

/** Both in one unit, or both in none. */
export function isOneUnit({ unit }: Quantity, other: Quantity): boolean {
  if (unit === undefined || other.unit === undefined) return unit === other.unit;
  return isSameUnitOf(unit, other.unit);
}

/** No unit of either says that they measure different things. */
export function isSameUnit(quantity: Quantity, other: Quantity): boolean {
  return quantity.unit === undefined || other.unit === undefined || quantity.unit.dimension === other.unit.dimension;
}

/** Whether a length of time lies between two times of the texts. */
export function isDuration({ amount, unit, decimals }: Quantity, { durations }: NumberContext): boolean {
  if (unit?.dimension !== 'time') return false;
  const step = 0.5 * 10 ** -decimals * unit.factor;
  for (const seconds of durations) if (Math.abs(seconds - amount * unit.factor) <= step) return true;
  return false;
}
