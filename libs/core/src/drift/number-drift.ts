import type { CriticalField } from '../seal';
import type { AlignedField } from './alignment';
import { followsFrom, followsFromSources } from './derived-values';
import { editDistance } from './edit-distance';
import type { LiteralDrift } from './literal-drift';
import type { NumberIndex } from './number-index';
import { isRoundingOf, isSameAmount, quantitiesIn, type Quantity } from './quantity';

/** What a number of the summary is compared with. */
export interface NumberContext {
  readonly numbers: NumberIndex;
  /** Numbers of the summary that the sources hold. */
  readonly supported: readonly Quantity[];
  /** Lengths of time between the times of sources and summary, in seconds. */
  readonly durations: ReadonlySet<number>;
  readonly aligned: readonly AlignedField[];
  /** Text directly before and after the number. */
  readonly before: string;
  readonly after: string;
  readonly isTolerant: boolean;
  /** Whether a place in the sources speaks of what the summary speaks of here. */
  readonly isAbout: (at: number) => boolean;
  /** Whether a code that stands near the number here stands near that place as well. */
  readonly namesBoth: (at: number) => boolean;
}

/** A count of what is listed is seldom above this. */
const LARGEST_COUNT = 40;
/** A word before a number that makes it a label and no count. */
const LABEL =
  /(?:\b(?:line|lines|row|column|col|step|page|port|version|item|no|number|code|exit|offset|chapter|section|table|room|ward|gate|bed|bay|dock|lane|level|phase|stage|build|issue|ticket|order|case|id|pid|shard|rack|unit|track|aisle|flight|suite|apartment|day|week|age|aged|size|attempt|priority|zeile|seite|ligne)|#|№)\s*$/i;
const APPROXIMATE =
  /(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|some|circa|ca|over|under|just|etwa|rund|environ|près de|unos)\.?|~|≈|<|>)\s*[$€£¥]?$/iu;

/** Whether the sources hold a number with that unit; a drift where they hold it with another one. */
export function unitDrift(quantity: Quantity, context: NumberContext): LiteralDrift | 'held' | undefined {
  const { unit } = quantity;
  const all = context.numbers.withAmount(quantity.amount);
  // A piece of a name or version supports a bare number only.
  const same = unit === undefined ? all : all.filter((one) => !one.isEmbedded);
  if (same.length === 0) return undefined;
  if (unit === undefined) return 'held';
  const measured = same.filter((one) => one.unit !== undefined);
  const isAgreed = measured.some((one) => one.unit?.dimension === unit.dimension && one.unit.factor === unit.factor);
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

/** A time that follows from the sources' times, but in another unit. */
function hasWrongDuration({ amount, unit, decimals }: Quantity, { durations }: NumberContext): boolean {
  if (unit?.dimension !== 'time' || decimals < 2 || durations.has(round(amount * unit.factor))) return false;
  return [0.001, 1, 60, 3600].some((factor) => factor !== unit.factor && durations.has(round(amount * factor)));
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** A value told roughly, by a round number that the sources have for something else. */
export function roundedHere(quantity: Quantity, context: NumberContext): LiteralDrift | undefined {
  const { numbers, namesBoth, before } = context;
  const { amount, decimals } = quantity;
  if (!APPROXIMATE.test(before.slice(-24)) || amount < 100) return undefined;
  if (numbers.withAmount(amount).some(({ start }) => namesBoth(start))) return undefined;
  const exact = numbers.quantities.find(
    (one) => !one.isEmbedded && isRoundingOf(amount, decimals, one.amount) && namesBoth(one.start),
  );
  return exact === undefined ? undefined : { kind: 'number_rounded', expected: textOf(exact), at: exact.start };
}

/** Names the drift of a number that the sources do not hold; undefined where it follows from them. */
export function numberDrift(quantity: Quantity, context: NumberContext): LiteralDrift | undefined {
  const { numbers, isTolerant } = context;
  const candidates = numbers.quantities.filter((one) => !one.isEmbedded);
  const converted = convertedFrom(quantity, candidates);
  if (converted === 'exact' && isTolerant) return undefined;
  if (isTolerant && endsHunk(quantity, context)) return undefined;
  const aligned = alignedNumber(quantity, context);
  const isApproximate = APPROXIMATE.test(context.before.slice(-24));
  const isCertain = aligned !== undefined && aligned.score >= 3;
  if (isTolerant && !isCertain && followsFrom(quantity, context.supported)) return undefined;
  if (isTolerant && isDuration(quantity, context)) return undefined;
  const rounded = roundedFrom(quantity, candidates, isApproximate);
  if (rounded !== undefined) return { kind: 'number_rounded', expected: textOf(rounded), at: rounded.start };
  if (aligned !== undefined)
    return { kind: 'number_changed', expected: textOf(aligned.quantity), at: aligned.quantity.start };
  if (isTolerant && isCount(quantity, context)) return undefined;
  const twin = digitTwin(quantity, candidates, context);
  if (isTolerant && followsFrom(quantity, [...context.supported, ...salient(quantity, candidates)])) {
    if (twin === undefined || twin.distance > 1) return undefined;
  }
  if (twin !== undefined) return { kind: 'number_changed', expected: textOf(twin.quantity), at: twin.quantity.start };
  if (isTolerant && followsFromSources(quantity, salient(quantity, candidates))) return undefined;
  const near = candidates.find((one) => isSameUnit(quantity, one) && isNear(quantity.amount, one.amount));
  const isDoubtful = isTolerant && quantity.decimals <= 0 && digitsOf(quantity.text).length < 5;
  if (near !== undefined) return { kind: 'number_changed', expected: textOf(near), at: near.start, isDoubtful };
  return { kind: 'invented_value', expected: undefined, isDoubtful };
}

/** The last line of `1472-1478`, where the sources say `1472,7`. */
function endsHunk({ amount }: Quantity, { before, numbers }: NumberContext): boolean {
  const first = Number(/(\d+)\s?[-–—]\s?$/.exec(before)?.[1]);
  if (Number.isNaN(first) || amount <= first) return false;
  const at = numbers.withAmount(first).map(({ end }) => end);
  return numbers
    .withAmount(amount - first + 1)
    .some(({ start }) => at.some((end) => start - end >= 0 && start - end <= 2));
}

function textOf({ text, unit, unitText }: Quantity): string {
  if (unit === undefined || unitText === '') return text;
  return '$€£¥'.includes(unitText) ? `${unitText}${text}` : `${text} ${unitText}`;
}

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= 0.5 * Math.abs(right);
}

function isSameUnit(quantity: Quantity, other: Quantity): boolean {
  return quantity.unit === undefined || other.unit === undefined || quantity.unit.dimension === other.unit.dimension;
}

/** The same measure in another unit: `1.5 min` of `90 s`. */
function convertedFrom({ amount, unit }: Quantity, candidates: readonly Quantity[]): 'exact' | undefined {
  if (unit === undefined) return undefined;
  const isExact = candidates.some(
    (one) => one.unit?.dimension === unit.dimension && isSameAmount(amount * unit.factor, one.amount * one.unit.factor),
  );
  return isExact ? 'exact' : undefined;
}

function roundedFrom(
  { amount, decimals, unit, text }: Quantity,
  candidates: readonly Quantity[],
  isApproximate: boolean,
): Quantity | undefined {
  const digits = text.replace(/\D/g, '').replace(/0+$/, '').length;
  if (!isApproximate && digits < 2 && decimals <= 0) return undefined;
  const matches = candidates.filter((one) => {
    if (isRoundingOf(amount, decimals, one.amount)) return unit === undefined || isComparable(unit, one);
    if (unit === undefined || unit.factor === 1) return false;
    const factor = one.unit?.dimension === unit.dimension ? unit.factor / one.unit.factor : unit.factor;
    if (one.unit !== undefined && one.unit.dimension !== unit.dimension) return false;
    return isRoundingOf(amount, decimals, one.amount / factor);
  });
  return matches.sort((left, right) => gap(left, amount) - gap(right, amount))[0];
}

function isComparable(unit: { readonly dimension: string; readonly factor: number }, other: Quantity): boolean {
  return other.unit === undefined || (other.unit.dimension === unit.dimension && other.unit.factor === unit.factor);
}

function gap(quantity: Quantity, amount: number): number {
  return Math.abs(quantity.amount - amount);
}

/** The number that stands in the same words of a source. */
function alignedNumber(
  quantity: Quantity,
  { aligned }: NumberContext,
): { readonly quantity: Quantity; readonly score: number } | undefined {
  for (const { field, before, after } of aligned) {
    if (before + after < 2 && !(before >= 1 && after >= 1)) break;
    const other = numberOfField(field);
    if (other === undefined || !isSameUnit(quantity, other)) continue;
    const own = { ...other, start: field.start + other.start, end: field.start + other.end };
    return { quantity: own, score: before + after };
  }
  return undefined;
}

function numberOfField(field: CriticalField): Quantity | undefined {
  if (field.kind !== 'number' && field.kind !== 'amount') return undefined;
  return quantitiesIn(field.value)[0];
}

function isCount({ amount, decimals, unit, unitText, text }: Quantity, { before, after }: NumberContext): boolean {
  if (!Number.isInteger(amount) || amount > LARGEST_COUNT || decimals > 0 || text.startsWith('0')) return false;
  if (unit !== undefined && unit.dimension !== 'time') return false;
  return !LABEL.test(before) && (unitText !== '' || /^\W*\s*[\p{L}]/u.test(after));
}

function isDuration({ amount, unit, decimals }: Quantity, { durations }: NumberContext): boolean {
  if (unit?.dimension !== 'time') return false;
  const step = 0.5 * 10 ** -decimals * unit.factor;
  for (const seconds of durations) if (Math.abs(seconds - amount * unit.factor) <= step) return true;
  return false;
}

/** Numbers that sums are made of: the same kind of unit, and more than a digit or two. */
function salient(quantity: Quantity, candidates: readonly Quantity[]): readonly Quantity[] {
  return candidates.filter((one) => isSameUnit(quantity, one) && one.text.length > 1).slice(0, 400);
}

interface DigitTwin {
  readonly quantity: Quantity;
  readonly distance: number;
}

/** A number whose digits were mistaken for these. */
function digitTwin(quantity: Quantity, candidates: readonly Quantity[], context: NumberContext): DigitTwin | undefined {
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
    const rank = distance - (preferred.has(candidate.start) ? 0.5 : 0) + (other.length === digits.length ? 0 : 0.25);
    if (best === undefined || rank < best.rank) best = { quantity: candidate, distance, rank };
  }
  return best;
}

function digitsOf(text: string): string {
  return text.replaceAll(',', '');
}
