import { type CriticalField, findCriticalFields } from '@holdfast/core';

export const MUTATION_NAMES = [
  'swap',
  'drop',
  'round',
  're-case',
  'homoglyph',
  'truncate',
  'off by one',
  'unit',
  'negation',
] as const;
export type MutationName = (typeof MUTATION_NAMES)[number];

/** A sentence with one thing changed, and where. */
export interface Mutation {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Whole numbers from 0 up to a limit, always the same ones for a seed. */
export type Dice = (limit: number) => number;

export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  c: 'с',
  p: 'р',
  x: 'х',
  A: 'А',
  B: 'В',
  H: 'Н',
};
const OTHER_UNIT: readonly (readonly [RegExp, string])[] = [
  [/ms$/, 's'],
  [/ seconds?$/, ' minutes'],
  [/ minutes?$/, ' hours'],
  [/ hours?$/, ' days'],
  [/ days?$/, ' weeks'],
  [/(\d)s$/, '$1ms'],
  [/MB$/, 'GB'],
  [/GB$/, 'MB'],
  [/KB$/i, 'MB'],
  [/ bytes$/, ' KB'],
  [/^\$/, '€'],
  [/°C$/, '°F'],
];
const NEGATION =
  /\b(do|does|did|is|are|was|were|should|must|can|could|would|has|have)(?: not|n't)\b|\bcannot\b|\bnever /i;
/** Shorter values are no codes that anybody could tell from another. */
const SHORTEST_CODE = 4;

/** Changes one literal (or the negation) of a sentence; undefined where it has none that this way of changing fits. */
export function mutate(name: MutationName, sentence: string, dice: Dice): Mutation | undefined {
  if (name === 'negation') return withoutNegation(sentence);
  const fields = findCriticalFields(sentence);
  for (let tries = 0; tries < fields.length; tries++) {
    const field = fields[(dice(fields.length) + tries) % fields.length];
    const value = field === undefined ? undefined : changed(name, field, dice);
    if (field === undefined || value === undefined || value === field.value) continue;
    const text = sentence.slice(0, field.start) + value + sentence.slice(field.end);
    return { text, start: field.start, end: field.start + value.length };
  }
  return undefined;
}

function changed(name: Exclude<MutationName, 'negation'>, field: CriticalField, dice: Dice): string | undefined {
  const { value, kind } = field;
  const isNumber = kind === 'number' || kind === 'amount';
  const isCode = !isNumber && kind !== 'date' && value.length >= SHORTEST_CODE;
  switch (name) {
    case 'swap':
      return isCode ? swapped(value, dice) : undefined;
    case 'drop':
      return isCode ? dropped(value, dice) : undefined;
    case 're-case':
      return isCode && kind !== 'url' && kind !== 'email' ? recased(value, dice) : undefined;
    case 'homoglyph':
      return isCode ? withHomoglyph(value) : undefined;
    case 'truncate':
      return isCode && value.length > 7 && kind !== 'path' && kind !== 'url' ? value.slice(0, -2) : undefined;
    case 'round':
      return isNumber ? rounded(value) : undefined;
    case 'off by one':
      return isNumber ? offByOne(value) : undefined;
    case 'unit':
      return isNumber ? withOtherUnit(value) : undefined;
  }
}

function swapped(value: string, dice: Dice): string | undefined {
  const from = dice(value.length - 1);
  for (let step = 0; step < value.length - 1; step++) {
    const at = (from + step) % (value.length - 1);
    const [left, right] = [value.charAt(at), value.charAt(at + 1)];
    if (left === right || !/[A-Za-z0-9]{2}/.test(left + right)) continue;
    return value.slice(0, at) + right + left + value.slice(at + 2);
  }
  return undefined;
}

function dropped(value: string, dice: Dice): string | undefined {
  const at = 1 + dice(value.length - 2);
  return /[A-Za-z0-9]/.test(value.charAt(at)) ? value.slice(0, at) + value.slice(at + 1) : undefined;
}

function recased(value: string, dice: Dice): string | undefined {
  const letters = [...value.matchAll(/[A-Za-z]/g)].map(({ index }) => index);
  const at = letters[dice(letters.length)];
  if (at === undefined) return undefined;
  const letter = value.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return value.slice(0, at) + other + value.slice(at + 1);
}

function withHomoglyph(value: string): string | undefined {
  for (let at = 0; at < value.length; at++) {
    const other = HOMOGLYPHS[value.charAt(at)];
    if (other !== undefined) return value.slice(0, at) + other + value.slice(at + 1);
  }
  return undefined;
}

const DIGITS = /\d[\d,]*/;

function rounded(value: string): string | undefined {
  const digits = DIGITS.exec(value)?.[0] ?? '';
  const plain = digits.replaceAll(',', '');
  if (plain.length < 3 || /0$/.test(plain) || plain.startsWith('0') || /\.\d/.test(value)) return undefined;
  const step = 10 ** (plain.length - 2);
  return value.replace(digits, String(Math.round(Number(plain) / step) * step));
}

function offByOne(value: string): string | undefined {
  const digits = DIGITS.exec(value)?.[0] ?? '';
  const plain = digits.replaceAll(',', '');
  if (plain.length < 2 || plain.length > 12 || plain.startsWith('0')) return undefined;
  return value.replace(digits, String(Number(plain) + 1));
}

function withOtherUnit(value: string): string | undefined {
  const [pattern, unit] = OTHER_UNIT.find(([own]) => own.test(value)) ?? [];
  return pattern === undefined || unit === undefined ? undefined : value.replace(pattern, unit);
}

function withoutNegation(sentence: string): Mutation | undefined {
  const match = NEGATION.exec(sentence);
  if (match === null) return undefined;
  const kept = match[1] ?? (/cannot/i.test(match[0]) ? 'can' : '');
  const text = sentence.slice(0, match.index) + kept + sentence.slice(match.index + match[0].length);
  return { text, start: 0, end: text.length };
}
