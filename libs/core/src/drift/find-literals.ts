import { findCriticalFields, type CriticalField } from '../seal';
import { alignedFields } from './alignment';
import { momentsIn } from './calendar';
import { findCodeWords } from './code-words';
import type { DriftMode } from './drift-finding';
import type { LiteralDrift, LiteralFinding } from './literal-drift';
import { findNegations } from './negation-drift';
import { momentDrift } from './moment-drift';
import { numberFindings } from './number-findings';
import { indexNumbers } from './number-index';
import { holdsPath, isWordPair, lineDrift } from './path-drift';
import { findKeyValues } from './key-values';
import { findNameTwins } from './plain-names';
import { quantitiesIn } from './quantity';
import type { SourceIndex } from './source-index';
import { withoutUnspacedScripts } from './source-text';
import { strictLiterals } from './strict-literals';
import { isOwnWord, misplacedText, textDrift } from './text-literals';
import { nearestTwin, type Twin } from './twin';
import { magnitudeNamed, unitNamed } from './units';
import { wordsOf, type Word } from './words';

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

function isNumeric({ kind }: CriticalField): boolean {
  return kind === 'number' || kind === 'amount';
}

const LETTERS_AFTER = /^\d+([A-Za-z]+)$/;
const PHONE = /^(?:\+?\d{1,3}-)?\d{2,4}-\d{3,4}-\d{4}$/;
/** `7m42s`: taken apart, its numbers have no unit. */
const COMPOUND_DURATION = /^(?:\d+(?:\.\d+)?(?:d|h|m|s|ms)){2,}$/;
const ORDINAL = /^(?:st|nd|rd|th|x)$/;

/** A field that is compared as text: a number with letters that are no unit (`14C`) is a code. */
function asTextField(field: CriticalField): CriticalField | undefined {
  if (PHONE.test(field.value)) return { ...field, kind: 'identifier' };
  if (!isNumeric(field)) return isNumberPair(field.value) ? undefined : field;
  if (COMPOUND_DURATION.test(field.value)) return field;
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
  return /^[-+]?\d[\d.,]*(?:[/:x][-+]?\d[\d.,]*)+$/.test(value) && !/\d\.\d+\.\d/.test(value);
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
  const drift = ofUnit(field, textDrift(field, index, aligned));
  if (isOwnWord(field, drift, isInCode(text, field))) return [];
  return [{ ...drift, start: field.start, end: field.end }];
}

/** A duration with the same numbers changed its units. */
function ofUnit({ kind, value }: CriticalField, drift: LiteralDrift): LiteralDrift {
  const digits = (text: string): string => text.replace(/[^\d.]+/g, ' ');
  const isUnit = kind === 'number' && drift.expected !== undefined && digits(drift.expected) === digits(value);
  return isUnit ? { ...drift, kind: 'unit_changed' } : drift;
}

function tightnessOf({ kind }: CriticalField): 'whole' | 'part' {
  return kind === 'version' || kind === 'hash' || kind === 'date' ? 'whole' : 'part';
}

function isInCode(text: string, { start, end }: Span): boolean {
  return text.charAt(start - 1) === '`' || text.charAt(end) === '`';
}

/** Words that announce a piece of a longer value. */
const SHOWN_PIECE =
  /\b(?:ending|ends|starting|starts|beginning|begins|prefix|prefixed|suffix|tail|(?:last|first)(?: \w+)? (?:digits?|characters?|chars?|letters?|four|\d+))\b[^\n.;]{0,16}$/i;

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
  const bare = value.replace(/^[#@$]/, '').replace(/[/.:_]/.test(value) ? /'s$/ : /(?:'s|s)$/, '');
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
  const stem = value.slice(0, Math.max(0, value.lastIndexOf('-')));
  // The sources go on in another way from here.
  if (/\d/.test(stem) && index.text.includes(`${stem}-`)) return false;
  const isTagged = /[#@]/.test(text.charAt(field.start - 1)) || /^[#@]/.test(value);
  return (
    kind !== 'flag' &&
    !isTagged &&
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
