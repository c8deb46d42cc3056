/** A date, a time of day or both, as far as a text states them. */
export interface Moment {
  readonly start: number;
  readonly end: number;
  readonly date: CalendarDate | undefined;
  readonly clock: Clock | undefined;
}

export interface CalendarDate {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number | undefined;
  /** Day and month may be the other way round. */
  readonly isAmbiguous: boolean;
}

export interface Clock {
  readonly hour: number;
  readonly minute: number | undefined;
  readonly second: number | undefined;
  readonly fraction: string | undefined;
  /** An hour up to 12 without `AM` or `PM` may be either. */
  readonly isTwelveHour: boolean;
}

/** Beginnings of month names in English, German, French, Spanish and Italian. */
const MONTHS: readonly (readonly [RegExp, number])[] = [
  [/^(?:jan|gen|ene)/i, 1],
  [/^(?:feb|fév|fev)/i, 2],
  [/^(?:mar(?!ia)|mär|maer)/i, 3],
  [/^(?:apr|avr|abr)/i, 4],
  [/^(?:may|mai|mag)/i, 5],
  [/^(?:jun|juin|giu)/i, 6],
  [/^(?:jul|juil|lug)/i, 7],
  [/^(?:aug|août|aout|ago)/i, 8],
  [/^(?:sep|set)/i, 9],
  [/^(?:oct|okt|ott)/i, 10],
  [/^nov/i, 11],
  [/^(?:dec|dez|déc|dic)/i, 12],
];
const MONTH_NAME =
  '(?:Jan(?:uary|uar|vier)?|Feb(?:ruary|ruar)?|F[ée]vrier|M(?:arch|ärz|ars|ar)|Apr(?:il)?|Avril|May|Mai|June?|Juni|Juin|July?|Juli|Juillet|' +
  'Aug(?:ust)?|Ao[ûu]t|Sept?(?:ember|embre)?|O[ck]t(?:ober|obre)?|Nov(?:ember|embre)?|De[cz](?:ember)?|D[ée]cembre|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre|' +
  'janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)';
const CLOCK = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?`;
const HALF = String.raw`(?:\s?[AaPp](?:\.[Mm]\.|[Mm](?![\p{L}\p{N}])))`;
const MOMENT = new RegExp(
  [
    String.raw`(?<![\d.])(?<y1>\d{4})[-/](?<m1>\d{1,2})[-/](?<d1>\d{1,2})(?:(?:[T_ ]|\s+(?:at|um|à)\s+)(?<c1>${CLOCK}))?`,
    String.raw`(?<![\p{L}])(?<n2>${MONTH_NAME})\.? (?<d2>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,? (?<y2>\d{4}))?`,
    String.raw`(?<![\d.])(?<d3>\d{1,2})(?:st|nd|rd|th|er|\.)?(?: of| de)? (?<n3>${MONTH_NAME})(?![\p{L}])\.?(?:,?(?: de)? (?<y3>\d{4}))?`,
    String.raw`(?:(?<y9>\d{4})年)?(?<m9>\d{1,2})月(?<d9>\d{1,2})日`,
    String.raw`(?<![\p{L}])(?<n6>${MONTH_NAME}) (?<y6>(?:19|20)\d{2})(?!\d)`,
    String.raw`datetime(?:\.datetime|\.date)?\((?<p4>\d{4}(?:, \d{1,6}){2,6})\)`,
    String.raw`(?<![\d./-])(?<a5>\d{1,2})[./](?<b5>\d{1,2})[./](?<y5>\d{4})(?![\d])`,
    String.raw`(?<![\d.:\p{L}])(?<c7>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?<h7>${HALF})?(?![:\d])`,
    String.raw`(?<![\d.:$\p{L}])(?<c8>\d{1,2})(?<h8>${HALF})`,
  ].join('|'),
  'gui',
);

/** Every date and time of a text, in order. */
export function momentsIn(text: string): readonly Moment[] {
  const moments: Moment[] = [];
  for (const match of text.matchAll(MOMENT)) {
    const moment = momentOf(match.groups ?? {}, match.index, match.index + match[0].length);
    if (moment !== undefined) moments.push(moment);
  }
  return moments;
}

type Groups = Readonly<Record<string, string | undefined>>;

function momentOf(groups: Groups, start: number, end: number): Moment | undefined {
  const date = dateOf(groups);
  const parts = groups['p4']?.split(', ').map(Number);
  const clock = parts === undefined ? clockOf(groups) : clockOfParts(parts.slice(3));
  if (date === undefined && clock === undefined) return undefined;
  return { start, end, date, clock };
}

function dateOf(groups: Groups): CalendarDate | undefined {
  const parts = groups['p4']?.split(', ').map(Number);
  if (parts !== undefined) return checkedDate(parts[0], parts[1], parts[2], false);
  if (groups['y1'] !== undefined)
    return checkedDate(+groups['y1'], numberOf(groups['m1']), numberOf(groups['d1']), false);
  if (groups['m9'] !== undefined)
    return checkedDate(numberOf(groups['y9']), numberOf(groups['m9']), numberOf(groups['d9']), false);
  const name = groups['n2'] ?? groups['n3'] ?? groups['n6'];
  if (name !== undefined) {
    const year = numberOf(groups['y2'] ?? groups['y3'] ?? groups['y6']);
    return checkedDate(year, monthNamed(name), numberOf(groups['d2'] ?? groups['d3']), false);
  }
  if (groups['a5'] === undefined) return undefined;
  const [first, second] = [numberOf(groups['a5']) ?? 0, numberOf(groups['b5']) ?? 0];
  const isMonthFirst = second > 12;
  return checkedDate(
    numberOf(groups['y5']),
    isMonthFirst ? first : second,
    isMonthFirst ? second : first,
    first <= 12 && second <= 12,
  );
}

function checkedDate(
  year: number | undefined,
  month: number | undefined,
  day: number | undefined,
  isAmbiguous: boolean,
): CalendarDate | undefined {
  if (month === undefined || month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return undefined;
  return { year, month, day, isAmbiguous };
}

function clockOf(groups: Groups): Clock | undefined {
  const text = groups['c1'] ?? groups['c7'] ?? groups['c8'];
  if (text === undefined) return undefined;
  const [hour = 0, minute, second, fraction] = text.split(/[:.,]/);
  const half = (groups['h7'] ?? groups['h8'] ?? '').toLowerCase().replace(/[^apm]/g, '');
  const plain = Number(hour);
  if (plain > 24 || Number(minute ?? 0) > 59) return undefined;
  const shifted = half === '' ? plain : (plain % 12) + (half === 'pm' ? 12 : 0);
  return {
    hour: shifted,
    minute: numberOf(minute),
    second: numberOf(second),
    fraction,
    isTwelveHour: half === '' && plain <= 12,
  };
}

function clockOfParts([hour, minute, second]: readonly number[]): Clock | undefined {
  if (hour === undefined) return undefined;
  return { hour, minute, second, fraction: undefined, isTwelveHour: false };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function monthNamed(name: string): number | undefined {
  return MONTHS.find(([start]) => start.test(name))?.[1];
}

/** Whether a date says nothing that the other one contradicts. */
export function agreesWithDate(claim: CalendarDate, source: CalendarDate): boolean {
  if (claim.year !== undefined && source.year !== undefined && claim.year !== source.year) return false;
  const isSame = isSameDay(claim.month, claim.day, source);
  if (isSame) return true;
  const isSwappable = claim.isAmbiguous || source.isAmbiguous;
  return isSwappable && claim.day !== undefined && claim.day <= 12 && isSameDay(claim.day, claim.month, source);
}

function isSameDay(month: number, day: number | undefined, source: CalendarDate): boolean {
  return month === source.month && (day === undefined || source.day === undefined || day === source.day);
}

/** Whether a time says nothing that the other one contradicts: `11 AM` is `11:00`, `09:04` leaves the seconds out. */
export function agreesWithClock(claim: Clock, source: Clock): boolean {
  const isLoose = claim.isTwelveHour || source.isTwelveHour;
  if (claim.hour !== source.hour && !(isLoose && claim.hour % 12 === source.hour % 12)) return false;
  if ((claim.minute ?? 0) !== (source.minute ?? 0) && claim.minute !== undefined) return false;
  if (claim.minute === undefined && (source.minute ?? 0) !== 0) return false;
  if (claim.second !== undefined && source.second !== undefined && claim.second !== source.second) return false;
  if (claim.fraction === undefined || source.fraction === undefined) return true;
  return source.fraction.startsWith(claim.fraction) || claim.fraction.startsWith(source.fraction);
}

/** Seconds since the start of the day. */
export function secondsOfDay(clock: Clock): number {
  const fraction = clock.fraction === undefined ? 0 : Number(`0.${clock.fraction}`);
  return clock.hour * 3600 + (clock.minute ?? 0) * 60 + (clock.second ?? 0) + fraction;
}
