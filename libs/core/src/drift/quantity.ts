import { magnitudeNamed, unitNamed, type Unit } from './units';

/** A number as a text writes it, with what stands around it. */
export interface Quantity {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** In the text's own unit, magnitudes worked out. */
  readonly amount: number;
  /** Digits after the point that are shown, negative where a magnitude hides some. */
  readonly decimals: number;
  readonly unit: Unit | undefined;
  readonly unitText: string;
  /** The word before it, in lower case; empty where none is near. */
  readonly label: string;
  /** Piece of a longer name: it may support a value, but nobody mistakes it for one. */
  readonly isEmbedded: boolean;
  /** In quotes, all by itself. */
  readonly isQuoted: boolean;
}

const NUMBER =
  /\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?(?= ?(?:€|EUR\b|Euro\b|CHF\b))|(?<![\d,.:([=])\d+,\d{1,2}(?= ?(?:[€%]|°C|EUR|CHF|euros?\b|kg\b|km\b|cm\b|mm\b|kW|MB\b|GB\b|Prozent))|\d+(?:,\d{3})*(?!\d)(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?![\p{L}\d]))?|\d+(?:\.\d+)?/gu;
const DECIMAL_COMMA = /^\d+,\d{1,2}$|^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/;
const CONTINENTAL_UNIT = /^ ?(?:[€%]|°C|EUR|CHF|Euro|euro|k|c?m|MB|GB|Prozent)/;
const AFTER =
  /(?:(k|K|M|B|bn|mn)(?![\p{L}\p{N}]))?(?:[ -]?(thousand|million|billion|trillion)(?![\p{L}\p{N}]))?(?:(?:\)? ?|\t)(°[CF]|[%€£¥]|[\p{L}µ]{1,14}(?:\/(?:s|h|min|L|l|dL|ml|mL|kg|day)(?![\p{L}]))?)(?![\p{L}\p{N}_]))?/uy;
const CURRENCY = new Set(['$', '€', '£', '¥']);
/** A name before a number that says its unit: `duration_ms: 250`, `milliseconds=345`, `size (KB)`. */
const UNIT_BEFORE = /(?:^|[^\p{L}])(?:in[ _])?([\p{L}]{1,14})\)?["'`]?\s{0,2}[:=|]\s{0,2}["'`]?$/u;
const LABEL = /([\p{L}_]+)[^\p{L}\p{N}\n]{0,6}$/u;
const LOOK_BACK = 40;

/** Every number of a text, those inside names and dates included. */
export function quantitiesIn(text: string): readonly Quantity[] {
  const quantities: Quantity[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const quantity = quantityAt(text, match.index, match[0]);
    if (quantity !== undefined) quantities.push(quantity);
  }
  return quantities;
}

function quantityAt(text: string, start: number, digits: string): Quantity | undefined {
  const plain = plainNumber(text, start, digits);
  if (!Number.isFinite(plain)) return undefined;
  const end = start + digits.length;
  AFTER.lastIndex = end;
  const after = AFTER.exec(text);
  const magnitude = magnitudeNamed(after?.[1] ?? '') ?? magnitudeNamed(after?.[2] ?? '') ?? 1;
  const before = text.charAt(start - 1);
  const currency = CURRENCY.has(before) ? before : '';
  const unitText = after?.[3] ?? '';
  const ownUnit = unitNamed(currency) ?? unitNamed(unitText);
  const unit = ownUnit ?? currencyBefore(text, start) ?? unitBefore(text, start);
  const shown = shownDigits(digits, plain);
  const isGluedAfter = /[\p{L}\p{N}_]/u.test(text.charAt(end)) && magnitude === 1 && !isUnitGlued(after, ownUnit);
  const isVersionLike = /[.]\d/.test(text.slice(end, end + 2)) || (before === '.' && /\d/.test(text.charAt(start - 2)));
  return {
    start,
    end: ownUnit === undefined || currency !== '' ? end : end + (after?.[0].length ?? 0),
    text: text.slice(start, end),
    amount: plain * magnitude,
    decimals: shown - Math.round(Math.log10(magnitude)),
    unit,
    unitText: currency === '' ? unitText : currency,
    label: LABEL.exec(text.slice(Math.max(0, start - LOOK_BACK), start))?.[1]?.toLowerCase() ?? '',
    isQuoted: /["'`]/.test(before) && before === text.charAt(end),
    isEmbedded: isGluedAfter || isVersionLike || /[\p{L}_]/u.test(before),
  };
}

/** What the digits say: `1.280,50 €` is written as the continent does, `1,280.50` is not. */
function plainNumber(text: string, start: number, digits: string): number {
  const end = start + digits.length;
  const isContinental = DECIMAL_COMMA.test(digits) && CONTINENTAL_UNIT.test(text.slice(end, end + 8));
  const isWhole = /^\d{1,3},\d{3}$/.test(digits);
  if (!isContinental || isWhole || /^\d+\.\d{1,2}$/.test(digits)) return Number(digits.replaceAll(',', ''));
  return Number(digits.replaceAll('.', '').replace(',', '.'));
}

function isUnitGlued(after: RegExpExecArray | null, unit: Unit | undefined): boolean {
  return unit !== undefined && after !== null && !after[0].startsWith(' ');
}

function shownDigits(digits: string, plain: number): number {
  const exponent = /[eE]([-+]?\d+)$/.exec(digits)?.[1];
  const mantissa = /[.,](\d+)(?:[eE]|$)/.exec(digits)?.[1] ?? '';
  if (Number.isInteger(plain) && exponent === undefined && !digits.includes('.')) return 0;
  return mantissa.length - Number(exponent ?? 0);
}

/** `EUR 750.00` and `NOK 3.4 billion`: the code stands before its amount. */
function currencyBefore(text: string, start: number): Unit | undefined {
  const code = /(?<![\p{L}\p{N}_])([A-Z]{3}) $/u.exec(text.slice(Math.max(0, start - 5), start))?.[1];
  const unit = code === undefined ? undefined : unitNamed(code);
  return unit?.family === 'money' ? unit : undefined;
}

function unitBefore(text: string, start: number): Unit | undefined {
  const name = UNIT_BEFORE.exec(text.slice(Math.max(0, start - LOOK_BACK), start))?.[1];
  return name === undefined || name.length < 2 ? undefined : unitNamed(name);
}

/** Whether two amounts are the same number. */
export function isSameAmount(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right));
}

/** Of a value, where the rounded one has more places than it: 97 told as 100. */
const CLOSE_SHARE = 0.05;

/** Whether an amount is what is left of another one after rounding to the decimals shown. */
export function isRoundingOf(rounded: number, decimals: number, exact: number): boolean {
  if (isSameAmount(rounded, exact)) return false;
  const step = 10 ** -shownDecimals(rounded, decimals);
  if (step > Math.abs(exact) && Math.abs(rounded - exact) > CLOSE_SHARE * Math.abs(exact)) return false;
  // What has no digit to lose was not rounded.
  if (Number.isInteger(exact) && Number.isInteger(rounded) && Number.isInteger(exact / step)) return false;
  if (Math.abs(rounded) >= 2 && Math.abs(rounded - exact) < step / 2) return true;
  return Math.abs(rounded - exact) <= step * 1.000_001 && Math.abs(rounded - exact) / Math.abs(exact) <= 0.1;
}

/** Zeros at the end of a whole number show no digit: `23,500` is exact to the hundred. */
function shownDecimals(amount: number, decimals: number): number {
  if (decimals > 0 || amount === 0) return decimals;
  let shown = 0;
  for (let rest = Math.abs(amount); rest >= 10 && Number.isInteger(rest / 10); rest /= 10) shown--;
  return Math.min(shown, decimals);
}
