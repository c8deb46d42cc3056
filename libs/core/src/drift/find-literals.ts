import { findCriticalFields, type CriticalField } from '../seal';
import { alignedFields } from './alignment';
import { momentsIn } from './calendar';
import { findCodeWords } from './code-words';
import type { DriftMode } from './drift-finding';
import type { LiteralDrift } from './literal-drift';
import { findNegations } from './negation-drift';
import { momentDrift } from './moment-drift';
import { numberDrift, roundedHere, unitDrift, type NumberContext } from './number-drift';
import { durationsBetween, indexNumbers, type NumberIndex } from './number-index';
import { holdsPath, isWordPair, lineDrift } from './path-drift';
import { findKeyValues } from './key-values';
import { findNameTwins } from './plain-names';
import { quantitiesIn, type Quantity } from './quantity';
import type { SourceIndex } from './source-index';
import { withoutUnspacedScripts } from './source-text';
import { contentStems, sharedStems } from './stems';
import { isOwnWord, misplacedText, textDrift } from './text-literals';
import { nearestTwin, type Twin } from './twin';
import { magnitudeNamed, unitNamed } from './units';
import { wordsOf, type Word } from './words';

/** A literal of the summary that is not what the sources say. */
export interface LiteralFinding extends LiteralDrift {
  readonly start: number;
  readonly end: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Every literal of a summary that drifted, in any order; a place may be reported once. */
export function findLiterals(summary: string, index: SourceIndex, mode: DriftMode): readonly LiteralFinding[] {
  return mode === 'strict' ? strictLiterals(summary, index) : tolerantLiterals(summary, index);
}

function tolerantLiterals(summary: string, index: SourceIndex): readonly LiteralFinding[] {
  const text = withoutUnspacedScripts(summary);
  const numbers = indexNumbers(index.text);
  const words = wordsOf(text);
  const moments = momentsIn(text);
  const found: LiteralFinding[] = moments.flatMap((moment) => {
    const drift = momentDrift(moment, text.slice(moment.start, moment.end), index, numbers);
    return drift === undefined ? [] : [{ ...drift, start: moment.start, end: moment.end }];
  });
  const fields = findCriticalFields(text).filter((field) => !moments.some((moment) => overlaps(field, moment)));
  const textFields = fields.flatMap((field) => asTextField(field) ?? []);
  for (const field of textFields) found.push(...textFinding(field, text, words, index));
  const taken = [...moments, ...textFields];
  const quantities = quantitiesIn(text).filter((one) => !one.isEmbedded && !taken.some((span) => overlaps(one, span)));
  found.push(...numberFindings(quantities, text, words, index, numbers));
  const others = [
    ...findKeyValues(text, index.text),
    ...findNameTwins(text, index),
    ...findCodeWords(text, index),
    ...findNegations(text, index),
  ];
  for (const { start, end, drift } of others) {
    if (!found.some((one) => overlaps(one, { start, end }))) found.push({ ...drift, start, end });
  }
  return found;
}

/** Summaries of our own: every field is a token of a source, byte for byte. */
function strictLiterals(summary: string, index: SourceIndex): readonly LiteralFinding[] {
  const missing = findCriticalFields(summary).filter(
    ({ value }) => !index.hasField(value) && index.find(value, 'token') === -1,
  );
  if (missing.length === 0) return [];
  const numbers = indexNumbers(index.text);
  const words = wordsOf(summary);
  return missing.map((field) => {
    const { start, end } = field;
    return { ...strictDrift(field, summary, words, index, numbers), start, end };
  });
}

function strictDrift(
  field: CriticalField,
  summary: string,
  words: readonly Word[],
  index: SourceIndex,
  numbers: NumberIndex,
): LiteralDrift {
  if (field.kind === 'date') {
    const moment = momentsIn(field.value)[0];
    return (
      (moment === undefined ? undefined : momentDrift(moment, field.value, index, numbers)) ?? {
        kind: 'reformatted',
        expected: undefined,
      }
    );
  }
  const quantity = isNumeric(field) ? quantitiesIn(field.value)[0] : undefined;
  if (quantity === undefined) return textDrift(field, index, alignedFields(index, words, field));
  const context: NumberContext = {
    numbers,
    supported: [],
    durations: new Set(),
    aligned: alignedFields(index, words, field),
    before: summary.slice(Math.max(0, field.start - 40), field.start),
    after: '',
    isTolerant: false,
    isAbout: () => true,
    namesBoth: () => false,
  };
  const unit = unitDrift(quantity, context);
  if (unit !== undefined && unit !== 'held') return unit;
  const same = unit === 'held' ? numbers.withAmount(quantity.amount).find((one) => !one.isEmbedded) : undefined;
  if (same !== undefined) return { kind: 'reformatted', expected: same.text, at: same.start };
  return numberDrift(quantity, context) ?? { kind: 'invented_value', expected: undefined };
}

function isNumeric({ kind }: CriticalField): boolean {
  return kind === 'number' || kind === 'amount';
}

const LETTERS_AFTER = /^\d+([A-Za-z]+)$/;
const ORDINAL = /^(?:st|nd|rd|th|x)$/;

/** A field that is compared as text: a number with letters that are no unit (`14C`) is a code. */
function asTextField(field: CriticalField): CriticalField | undefined {
  if (!isNumeric(field)) return isNumberPair(field.value) ? undefined : field;
  const letters = LETTERS_AFTER.exec(field.value)?.[1];
  const isCode =
    letters !== undefined &&
    !ORDINAL.test(letters) &&
    unitNamed(letters) === undefined &&
    magnitudeNamed(letters) === undefined;
  return isCode ? { ...field, kind: 'identifier' } : undefined;
}

/** Numbers with signs between them (`+1531/-609`) are looked at one by one. */
function isNumberPair(value: string): boolean {
  return /^[-+]?\d[\d.,]*(?:[/:x][-+]?\d[\d.,]*)+$/.test(value);
}

function overlaps(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

function textFinding(
  field: CriticalField,
  text: string,
  words: readonly Word[],
  index: SourceIndex,
): readonly LiteralFinding[] {
  if (index.find(field.value, tightnessOf(field)) !== -1) {
    const other = misplacedText(field, alignedFields(index, words, field));
    return other === undefined ? [] : [{ ...other, start: field.start, end: field.end }];
  }
  const line = field.kind === 'path' ? lineDrift(field.value, index) : undefined;
  if (line !== undefined) return [{ ...line, start: field.start, end: field.end }];
  if (isHeldInOtherForm(field, text, index)) return [];
  const aligned = alignedFields(index, words, field);
  const drift = textDrift(field, index, aligned);
  if (isOwnWord(field, drift, isInCode(text, field))) return [];
  return [{ ...drift, start: field.start, end: field.end }];
}

function tightnessOf({ kind }: CriticalField): 'whole' | 'part' {
  return kind === 'version' || kind === 'hash' || kind === 'date' ? 'whole' : 'part';
}

function isInCode(text: string, { start, end }: Span): boolean {
  return text.charAt(start - 1) === '`' || text.charAt(end) === '`';
}

/** Words that announce a piece of a longer value. */
const SHOWN_PIECE =
  /\b(?:ending|ends|starting|starts|beginning|begins|prefix|prefixed|suffix|tail|last|first)\b[^\n.;]{0,16}$/i;

/** Forms that a faithful writer gives a value without changing it. */
function isHeldInOtherForm(field: CriticalField, text: string, index: SourceIndex): boolean {
  const { value, kind } = field;
  if (SHOWN_PIECE.test(text.slice(Math.max(0, field.start - 40), field.start)) && index.text.includes(value))
    return true;
  if (kind === 'path' && holdsPath(value, index)) return true;
  if (kind === 'url') return index.find(value.replace(/^https?:\/\/|\/$/g, ''), 'part') !== -1;
  if (kind === 'version') return index.find(value.replace(/^[~^]?v?/, ''), 'whole') !== -1;
  if (kind === 'flag' && /^-[A-Za-z]{2}$/.test(value)) {
    return [...value.slice(1)].every((letter) => index.find(`-${letter}`, 'part') !== -1);
  }
  const bare = value.replace(/^[#@$]/, '').replace(/(?:'s|s)$/, '');
  if (bare !== '' && bare !== value && index.find(bare, 'part') !== -1) return true;
  const lowered = value.charAt(0).toLowerCase() + value.slice(1);
  if (
    lowered !== value &&
    !isInCode(text, field) &&
    isAtSentenceStart(text, field.start) &&
    index.find(lowered, 'part') !== -1
  )
    return true;
  if (isNearTwin(value, nearestTwin(value, kind, index, []))) return false;
  if (kind === 'path') return isWordPair(value, index);
  const parts = value.split('-');
  return (
    kind !== 'flag' &&
    parts.length > 1 &&
    parts.every((part) => /^[a-z]{2,}$/.test(part) || index.find(part, 'part') !== -1)
  );
}

/** Closer than two different words are to each other. */
function isNearTwin(value: string, twin: Twin | undefined): boolean {
  return twin !== undefined && twin.distance <= (value.length < 8 ? 1 : 2);
}

function isAtSentenceStart(text: string, offset: number): boolean {
  return /(?:^|[.!?:;]\s+|[\n>*•(-]\s*)["'`*]*$/.test(text.slice(Math.max(0, offset - 6), offset));
}

function numberFindings(
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
  return unit ?? numberDrift(quantity, context);
}

/** Words in common that make it certain that two texts speak of the same value. */
const CERTAIN_RUN = 3;
const CERTAIN_RUN_AFTER = 2.5;

/** A number of the sources in the place of another one: the words around it say which belongs there. */
function misplaced({ amount }: Quantity, { aligned }: NumberContext): LiteralDrift | undefined {
  const best = aligned[0];
  if (best === undefined || best.before + best.after < Math.min(CERTAIN_RUN, CERTAIN_RUN_AFTER)) return undefined;
  if (best.before >= 1 && best.before + best.after < CERTAIN_RUN) return undefined;
  if (best.before < 1 && best.after < CERTAIN_RUN_AFTER) return undefined;
  const amounts = (value: string): readonly number[] => quantitiesIn(value).map((one) => one.amount);
  const isNumeric = best.field.kind === 'number' || best.field.kind === 'amount';
  const isHeld = aligned.some((one) => one.before + one.after >= 1 && amounts(one.field.value).includes(amount));
  if (!isNumeric || isHeld) return undefined;
  return { kind: 'number_changed', expected: best.field.value, at: best.field.start };
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
