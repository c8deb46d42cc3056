import { alignedFields } from './alignment';
import { momentsIn } from './calendar';
import { followsFromSources } from './derived-values';
import type { LiteralDrift, LiteralFinding } from './literal-drift';
import type { NumberContext } from './number-context';
import { isWorkedOut, numberDrift, roundedHere } from './number-drift';
import { durationsBetween, type NumberIndex } from './number-index';
import { quantitiesIn, type Quantity } from './quantity';
import type { SourceIndex } from './source-index';
import { contentStems, sharedStems } from './stems';
import { unitDrift } from './unit-drift';
import type { Word } from './words';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Every number of a summary that drifted. */
export function numberFindings(
  quantities: readonly Quantity[],
  text: string,
  words: readonly Word[],
  index: SourceIndex,
  numbers: NumberIndex,
): readonly LiteralFinding[] {
  const supported = quantities.filter(({ amount }) => numbers.withAmount(amount).length > 0);
  const durations = durationsBetween([...numbers.moments, ...momentsIn(text)]);
  const found: LiteralFinding[] = [];
  for (const quantity of quantities) {
    if (isListMarker(text, quantity)) continue;
    const context: NumberContext = {
      numbers,
      supported,
      durations,
      aligned: alignedFields(index, words, quantity),
      before: text.slice(Math.max(0, quantity.start - 40), quantity.start),
      after: text.slice(quantity.end, quantity.end + 20),
      isTolerant: true,
      isAbout: (at) => sharesSubject(text, quantity, index, at),
      namesBoth: (at) => sharesCode(text, quantity, index, at),
    };
    const drift = driftOfNumber(quantity, context, index);
    if (drift === undefined) continue;
    const approximate = drift.kind === 'number_rounded' ? leadOf(context.before) : 0;
    found.push({ ...drift, start: quantity.start - approximate, end: quantity.end });
  }
  return found;
}

function driftOfNumber(quantity: Quantity, context: NumberContext, index: SourceIndex): LiteralDrift | undefined {
  const unit = unitDrift(quantity, context);
  if (unit === 'held')
    return misplaced(quantity, context) ?? roundedHere(quantity, context) ?? otherBytes(quantity, context, index);
  if (unit !== undefined && isWorkedOut(context)) {
    const measured = context.numbers.quantities.filter((one) => one.unit?.dimension === quantity.unit?.dimension);
    if (followsFromSources(quantity, measured)) return undefined;
  }
  return unit ?? numberDrift(quantity, context);
}

/** Words in common that make it certain that two texts speak of the same value. */
const CERTAIN_RUN = 2.5;
const CERTAIN_RUN_AFTER = 2.5;

/** A number of the sources in the place of another one: the words around it say which belongs there. */
function misplaced(quantity: Quantity, { aligned }: NumberContext): LiteralDrift | undefined {
  const { amount } = quantity;
  const best = aligned[0];
  if (best === undefined || best.before + best.after < Math.min(CERTAIN_RUN, CERTAIN_RUN_AFTER)) return undefined;
  if (best.before >= 1 && best.before + best.after < CERTAIN_RUN) return undefined;
  if (best.before < 1 && best.after < CERTAIN_RUN_AFTER) return undefined;
  const held = Math.max(1, best.before + best.after - 1);
  const amounts = (value: string): readonly number[] => quantitiesIn(value).map((one) => one.amount);
  const isNumeric = best.field.kind === 'number' || best.field.kind === 'amount';
  const isHeld = aligned.some((one) => one.before + one.after >= held && amounts(one.field.value).includes(amount));
  if (!isNumeric || isHeld || !looksLike(quantity, best.field.value)) return undefined;
  return { kind: 'number_changed', expected: best.field.value, at: best.field.start };
}

/** Whether one number may have been put for the other: as long, with as many decimals, in no other kind of unit. */
function looksLike({ text, decimals, unit }: Quantity, value: string): boolean {
  const other = quantitiesIn(value)[0];
  if (other === undefined) return false;
  if (unit !== undefined && other.unit?.family !== unit.family) return false;
  return Math.abs(other.text.length - text.length) <= 1 && other.decimals > 0 === decimals > 0;
}

function otherBytes(quantity: Quantity, context: NumberContext, index: SourceIndex): LiteralDrift | undefined {
  if (index.find(quantity.text, 'part') !== -1) return undefined;
  const same = context.numbers.withAmount(quantity.amount)[0];
  return same === undefined || same.text === quantity.text
    ? undefined
    : { kind: 'reformatted', expected: same.text, at: same.start };
}

/** Length of a currency sign directly before a number. */
function leadOf(before: string): number {
  return /[$€£¥]$/.test(before) ? 1 : 0;
}

/** Characters to either side that say what a number is about. */
const SUBJECT_REACH = 70;

function sharesSubject(
  text: string,
  { start, end, amount, decimals }: Quantity,
  index: SourceIndex,
  at: number,
): boolean {
  if (amount >= 100 || decimals > 0) return true;
  const around = (from: string, first: number, last: number): readonly string[] =>
    contentStems(`${from.slice(Math.max(0, first - SUBJECT_REACH), first)} ${from.slice(last, last + SUBJECT_REACH)}`);
  return sharedStems(around(text, start, end), around(index.text, at, at + end - start)) > 0;
}

/** Whether a code (a word with digits) stands near both places. */
function sharesCode(text: string, { start, end }: Quantity, index: SourceIndex, at: number): boolean {
  const codes = (from: string, first: number): readonly string[] =>
    contentStems(from.slice(Math.max(0, first - SUBJECT_REACH), first + SUBJECT_REACH)).filter((stem) =>
      /^[\p{L}]+\d+$/u.test(stem),
    );
  const near = codes(index.text, at);
  return codes(text, end === start ? start : end).some((code) => near.includes(code));
}

/** `1.` or `2)` at the start of a line counts list items and states nothing. */
function isListMarker(text: string, { start, end }: Span): boolean {
  if (end - start > 3 || !/^[.)]\s/.test(text.slice(end, end + 2))) return false;
  return /(?:^|\n)[\s>*#-]{0,20}$/.test(text.slice(Math.max(0, start - 24), start));
}
