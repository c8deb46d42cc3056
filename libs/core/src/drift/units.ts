/** What a unit measures, and how much of the smallest one it is. */
export interface Unit {
  readonly dimension: string;
  /** Units of one family are mistaken for each other though none is worked out from another. */
  readonly family: string;
  readonly factor: number;
}

const FAMILIES: Readonly<Record<string, string>> = {
  usd: 'money',
  eur: 'money',
  gbp: 'money',
  pixel: 'type size',
  rem: 'type size',
  em: 'type size',
  point: 'type size',
  viewport: 'type size',
  yen: 'money',
  chf: 'money',
  cad: 'money',
  aud: 'money',
  inr: 'money',
  cny: 'money',
  sek: 'money',
  nok: 'money',
  dkk: 'money',
  pln: 'money',
  krw: 'money',
  mgPerDl: 'concentration',
  mmolPerL: 'concentration',
  celsius: 'temperature',
  fahrenheit: 'temperature',
};

const unit = (dimension: string, factor: number, names: string): readonly (readonly [string, Unit])[] =>
  names.split(' ').map((name) => [name, { dimension, factor, family: FAMILIES[dimension] ?? dimension }] as const);

/** By lower-cased name, but for the few whose case tells them apart. */
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...unit('time', 1e-9, 'ns nanosecond nanoseconds'),
  ...unit('time', 1e-6, 'us µs μs microsecond microseconds'),
  ...unit('time', 1e-3, 'ms msec msecs millis millisecond milliseconds millisekunden millisecondes'),
  ...unit('time', 1, 's sec secs second seconds sekunde sekunden seconde secondes segundos 秒'),
  ...unit('time', 60, 'min mins minute minutes minuten minutos 分钟'),
  ...unit('time', 3600, 'h hr hrs hour hours stunde stunden heure heures horas 小时'),
  ...unit('time', 86_400, 'd day days tag tage tagen jour jours días 天'),
  ...unit('time', 604_800, 'week weeks woche wochen semaine semaines'),
  ...unit('time', 2_629_800, 'month months monat monate mois'),
  ...unit('time', 31_557_600, 'year years yr yrs jahr jahre ans années'),
  ...unit('size', 1, 'byte bytes octets'),
  ...unit('size', 1e3, 'kb kilobyte kilobytes ko'),
  ...unit('size', 1024, 'kib'),
  ...unit('size', 1e6, 'mb megabyte megabytes mo'),
  ...unit('size', 1_048_576, 'mib'),
  ...unit('size', 1e9, 'gb gigabyte gigabytes'),
  ...unit('size', 1_073_741_824, 'gib'),
  ...unit('size', 1e12, 'tb terabyte terabytes'),
  ...unit('size', 1_099_511_627_776, 'tib'),
  ...unit('size', 1e15, 'pb petabyte petabytes'),
  ...unit('share', 1, '% percent prozent pct pourcent'),
  ...unit('celsius', 1, '°c celsius'),
  ...unit('fahrenheit', 1, '°f fahrenheit'),
  ...unit('length', 1e-3, 'mm millimeter millimeters millimetre millimetres'),
  ...unit('length', 1e-2, 'cm centimeter centimeters centimetre centimetres'),
  ...unit('length', 1, 'meter meters metre metres'),
  ...unit('length', 1e3, 'km kilometer kilometers kilometre kilometres'),
  ...unit('length', 0.3048, 'ft feet foot'),
  ...unit('length', 1609.344, 'mi mile miles'),
  ...unit('mass', 1e-6, 'mcg µg μg microgram micrograms'),
  ...unit('mass', 1e-3, 'mg milligram milligrams'),
  ...unit('mass', 1, 'g gram grams'),
  ...unit('mass', 1e3, 'kg kilogram kilograms'),
  ...unit('mass', 1e6, 't tonne tonnes'),
  ...unit('mass', 453.592, 'lb lbs pound pounds'),
  ...unit('mass', 28.3495, 'oz ounce ounces'),
  ...unit('volume', 1e-6, 'µl μl ul microliter microliters microlitre microlitres'),
  ...unit('volume', 1e-3, 'ml milliliter milliliters millilitre millilitres'),
  ...unit('volume', 1, 'l liter liters litre litres'),
  ...unit('frequency', 1, 'hz'),
  ...unit('frequency', 1e3, 'khz'),
  ...unit('frequency', 1e6, 'mhz'),
  ...unit('frequency', 1e9, 'ghz'),
  ...unit('rate', 1e3, 'kbps'),
  ...unit('rate', 1e6, 'mbps'),
  ...unit('rate', 1e9, 'gbps'),
  ...unit('usd', 1, '$ usd dollar dollars'),
  ...unit('eur', 1, '€ eur euro euros'),
  ...unit('gbp', 1, '£ gbp'),
  ...unit('yen', 1, '¥ jpy yen 円'),
  ...unit('cny', 1, 'cny yuan rmb'),
  ...unit('chf', 1, 'chf'),
  ...unit('cad', 1, 'cad'),
  ...unit('aud', 1, 'aud'),
  ...unit('inr', 1, 'inr rupees'),
  ...unit('sek', 1, 'sek'),
  ...unit('nok', 1, 'nok'),
  ...unit('dkk', 1, 'dkk'),
  ...unit('pln', 1, 'pln'),
  ...unit('krw', 1, 'krw won'),
  ...unit('speed', 1, 'm/s mps'),
  ...unit('speed', 1 / 3.6, 'km/h kmh kph'),
  ...unit('speed', 0.44704, 'mph'),
  ...unit('pressure', 1, 'pa'),
  ...unit('pressure', 100, 'hpa mbar'),
  ...unit('pressure', 1e3, 'kpa'),
  ...unit('pressure', 1e5, 'bar'),
  ...unit('pressure', 6894.757, 'psi'),
  ...unit('mgPerDl', 1, 'mg/dl'),
  ...unit('mgPerDl', 1e3, 'g/dl'),
  ...unit('mgPerDl', 0.1, 'mg/l'),
  ...unit('mmolPerL', 1, 'mmol/l'),
  ...unit('mmolPerL', 1e-3, 'µmol/l μmol/l umol/l'),
  ...unit('throughput', 1, 'b/s'),
  ...unit('throughput', 1e3, 'kb/s'),
  ...unit('throughput', 1e6, 'mb/s'),
  ...unit('throughput', 1e9, 'gb/s'),
  ...unit('pixel', 1, 'px pixel pixels'),
  ...unit('rem', 1, 'rem'),
  ...unit('em', 1, 'em'),
  ...unit('point', 1, 'pt'),
  ...unit('viewport', 1, 'vh vw'),
  ...unit('electric', 1, 'v volt volts'),
  ...unit('power', 1, 'w watt watts'),
  ...unit('power', 1e3, 'kw'),
  ...unit('power', 1e6, 'mw'),
  ...unit('energy', 1e3, 'kwh'),
  ...unit('energy', 1e6, 'mwh'),
]);

/** Sizes that tools print without their byte, binary or not. */
const BARE_SIZES: ReadonlyMap<string, Unit> = new Map([
  ...[
    ['Ki', 1024],
    ['Mi', 1_048_576],
    ['Gi', 1_073_741_824],
    ['Ti', 1_099_511_627_776],
    ['G', 1e9],
    ['T', 1e12],
  ].map(([name, factor]) => [String(name), { dimension: 'size', family: 'size', factor: Number(factor) }] as const),
]);
/** Amounts of substance: only their capital tells them from lengths. */
const MOLAR: ReadonlyMap<string, Unit> = new Map(
  [
    ['mM', 1e-3],
    ['µM', 1e-6],
    ['μM', 1e-6],
    ['uM', 1e-6],
    ['nM', 1e-9],
  ].map(([name, factor]) => [String(name), { dimension: 'molar', family: 'molar', factor: Number(factor) }] as const),
);
/** Binary and decimal prefixes are told apart by no more than this. */
const PREFIX_SPREAD = 1.1;

/** Whether two units are one, `GB` and `GiB` taken for the same. */
export function isSameUnitOf(left: Unit, right: Unit): boolean {
  if (left.dimension !== right.dimension) return false;
  if (left.factor === right.factor) return true;
  const spread = Math.max(left.factor, right.factor) / Math.min(left.factor, right.factor);
  return left.dimension === 'size' && spread < PREFIX_SPREAD;
}

const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['mn', 1e6],
  ['million', 1e6],
  ['bn', 1e9],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

/** A unit of measure by its name; undefined for a word that only says what was counted. */
export function unitNamed(name: string): Unit | undefined {
  if (name === 'B') return UNITS.get('byte');
  const molar = MOLAR.get(name);
  if (molar !== undefined) return molar;
  const bare = BARE_SIZES.get(name);
  if (bare !== undefined) return bare;
  if (name === 'M' || name === 'K' || name === 'm') return undefined;
  return UNITS.get(name.toLowerCase());
}

/** The factor that a suffix or word of magnitude stands for. */
export function magnitudeNamed(name: string): number | undefined {
  if (name === 'M') return 1e6;
  if (name === 'B') return 1e9;
  return MAGNITUDES.get(name.toLowerCase());
}
