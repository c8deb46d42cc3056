import type { CriticalField } from '../seal';
import { followsFrom, followsFromSources, isSumOfNeighbours } from './derived-values';
import { digitsOf, digitTwin, isDigitId } from './digit-twin';
import type { LiteralDrift } from './literal-drift';
import type { NumberContext } from './number-context';
import { isRoundingOf, isSameAmount, quantitiesIn, type Quantity } from './quantity';
import { isDuration, isOneUnit, isSameUnit, textOf } from './unit-drift';
import { isSameUnitOf, type Unit } from './units';

/** A count of what is listed is seldom above this. */
const LARGEST_COUNT = 40;
/** A word before a number that makes it a label and no count. */
const LABEL =
  /(?:\b(?:line|lines|row|column|col|step|page|port|version|item|no|number|code|exit|offset|chapter|section|table|room|ward|gate|bed|bay|dock|lane|level|phase|stage|build|issue|ticket|order|case|id|pid|shard|rack|unit|track|aisle|flight|suite|apartment|day|week|age|aged|size|attempt|priority|zeile|seite|ligne)|#|№)\s*$/i;
const APPROXIMATE =
  /(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|some|circa|ca|over|under|just|etwa|rund|environ|près de|unos)\.?|~|≈|<|>)\s*[$€£¥]?$/iu;

/** A value told roughly, by a round number that the sources have for something else. */
export function roundedHere(quantity: Quantity, context: NumberContext): LiteralDrift | undefined {
  const { numbers, namesBoth, before } = context;
  const { amount, decimals } = quantity;
  if (!APPROXIMATE.test(before.slice(-24))) return undefined;
  if (quantity.unit !== undefined && !numbers.withAmount(amount).some((one) => isOneUnit(quantity, one))) {
    const measured = numbers.quantities.filter((one) => !one.isEmbedded && isOneUnit(quantity, one));
    const rounded = roundedFrom(quantity, measured, true);
    if (rounded !== undefined) return { kind: 'number_rounded', expected: textOf(rounded), at: rounded.start };
  }
  if (amount < 100 || numbers.withAmount(amount).some(({ start }) => namesBoth(start))) return undefined;
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
  if (isTolerant && aligned === undefined && !isApproximate) {
    if (!isNamedHere(context) && isSumOfNeighbours(quantity, candidates)) return undefined;
    if (isWorkedOut(context) && followsFrom(quantity, salient(quantity, candidates))) return undefined;
  }
  const rounded = roundedFrom(quantity, candidates, isApproximate);
  const isToldRoughly = isApproximate && rounded !== undefined && isOneUnit(quantity, rounded);
  if (isTolerant && !isCertain && !isToldRoughly && followsFrom(quantity, context.supported)) return undefined;
  if (isTolerant && isDuration(quantity, context)) return undefined;
  if (rounded !== undefined) return { kind: 'number_rounded', expected: textOf(rounded), at: rounded.start };
  if (aligned !== undefined)
    return { kind: 'number_changed', expected: textOf(aligned.quantity), at: aligned.quantity.start };
  const twin = digitTwin(quantity, candidates, context);
  if (isTolerant && isCount(quantity, context)) {
    const other =
      twin !== undefined && isSwapped(quantity, twin.quantity) ? twin.quantity : countedBeside(quantity, context);
    if (other === undefined) return undefined;
    return { kind: 'number_changed', expected: textOf(other), at: other.start, isDoubtful: true };
  }
  if (isTolerant && followsFrom(quantity, [...context.supported, ...salient(quantity, candidates)])) {
    if (twin === undefined || twin.distance > 1) return undefined;
  }
  if (twin !== undefined) {
    const kind = isDigitId(quantity, twin.quantity) ? 'identifier_mutated' : 'number_changed';
    return { kind, expected: textOf(twin.quantity), at: twin.quantity.start };
  }
  if (isTolerant && followsFromSources(quantity, salient(quantity, candidates))) return undefined;
  const near = candidates.find((one) => isSameUnit(quantity, one) && isNear(quantity.amount, one.amount));
  const isDoubtful = isTolerant && quantity.decimals <= 0 && digitsOf(quantity.text).length < 5;
  if (near !== undefined) return { kind: 'number_changed', expected: textOf(near), at: near.start, isDoubtful };
  return { kind: 'invented_value', expected: undefined, isDoubtful };
}

/** Words beside a number that say that it was worked out. */
const LEADS_TO =
  /(?:\b(?:by|differ(?:s|ence)(?: is| of| by)?|total(?:s|ling)?(?: is| of)?|sum(?: is| of)?|altogether|together|combined|remaining|extra|additional|sav(?:es|ed|ing)|insgesamt|zusammen|Differenz(?: von)?|au total|différence(?: de)?|en total|diferencia(?: de)?)[:,]? ?|[=+−×] ?|→ ?|[差計合]\S{0,3})[$€£¥]?$/iu;
const FOLLOWS_ON =
  /^[ -]?(?:\p{L}{1,12} )?(?:more|less|fewer|lower|higher|below|above|under|over|short|in all|in total|altogether|together|combined|remain(?:s|ing)?|left|on top|extra|faster|slower|longer|shorter|cheaper|dearer|later|earlier|apart|mehr|weniger|insgesamt|unter|über|de plus|de moins|au total|más|menos|en total)\b/iu;

/** Whether words beside the number say that it was worked out. */
export function isWorkedOut({ before, after }: NumberContext): boolean {
  return LEADS_TO.test(before.slice(-24)) || FOLLOWS_ON.test(after);
}

/** Whether a number of the sources stands beside the same word. */
function isNamedHere({ aligned }: NumberContext): boolean {
  return aligned.some(({ field, before, after }) => before + after >= 0.5 && numberOfField(field) !== undefined);
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

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= 0.5 * Math.abs(right);
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

function isComparable(unit: Unit, other: Quantity): boolean {
  return other.unit === undefined || isSameUnitOf(other.unit, unit);
}

function gap(quantity: Quantity, amount: number): number {
  return Math.abs(quantity.amount - amount);
}

/** The number that stands in the same words of a source. */
function alignedNumber(
  quantity: Quantity,
  { aligned, before: lead }: NumberContext,
): { readonly quantity: Quantity; readonly score: number } | undefined {
  for (const { field, before, after } of aligned) {
    if (before + after < 2 && !(before >= 1 && after >= 1)) break;
    const other = numberOfField(field);
    if (other === undefined || !isSameUnit(quantity, other)) continue;
    // The summary begins inside the source's number.
    if (lead === '' && other.text.endsWith(`.${quantity.text}`)) continue;
    const own = { ...other, start: field.start + other.start, end: field.start + other.end };
    return { quantity: own, score: before + after };
  }
  return undefined;
}

/** The number that the sources have of the same things: `3 reconnects` where the summary counts 5 of them. */
function countedBeside(quantity: Quantity, { aligned }: NumberContext): Quantity | undefined {
  for (const { field, after } of aligned) {
    const other = after >= 1 ? numberOfField(field) : undefined;
    if (other === undefined || !isSameUnit(quantity, other)) continue;
    return { ...other, start: field.start + other.start, end: field.start + other.end };
  }
  return undefined;
}

/** Two digits the other way round. */
function isSwapped({ text }: Quantity, other: Quantity): boolean {
  return (
    text.length === 2 &&
    other.text.length === 2 &&
    text.charAt(0) === other.text.charAt(1) &&
    text.charAt(1) === other.text.charAt(0)
  );
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

/** Numbers that sums are made of: the same kind of unit, and more than a digit or two. */
function salient(quantity: Quantity, candidates: readonly Quantity[]): readonly Quantity[] {
  return candidates.filter((one) => isSameUnit(quantity, one) && one.text.length > 1).slice(0, 400);
}
