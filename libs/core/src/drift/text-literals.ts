import type { CriticalField, FieldKind } from '../seal';
import type { DriftKind } from '../terms';
import type { AlignedField } from './alignment';
import { editDistance } from './edit-distance';
import type { LiteralDrift } from './literal-drift';
import { pathDrift } from './path-drift';
import type { SourceIndex } from './source-index';
import { nearestTwin } from './twin';

const CHANGED: Readonly<Record<FieldKind, DriftKind>> = {
  identifier: 'identifier_mutated',
  number: 'number_changed',
  amount: 'number_changed',
  path: 'path_changed',
  url: 'url_changed',
  email: 'identifier_mutated',
  date: 'date_changed',
  version: 'version_changed',
  hash: 'identifier_mutated',
  name: 'name_changed',
  flag: 'name_changed',
};
const SHORTEST_SHOWN_HASH = 7;
const CASELESS: ReadonlySet<FieldKind> = new Set(['email', 'hash', 'version', 'url']);
/** A technical word such as `python3` or `base64`, which anybody may use. */
const TECHNICAL_WORD = /^[A-Za-z]{1,9}\d{1,3}$|^[a-z]+-\d$|^\d[a-z]{1,3}$/;
const BARE_CODE = /^[A-Z]+s?$/;
const PLAIN_MIXED_CASE = /^(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*$/;

/** Names the drift of a text literal (everything but numbers and dates) that no source holds. */
export function textDrift(field: CriticalField, index: SourceIndex, aligned: readonly AlignedField[]): LiteralDrift {
  if (field.kind === 'path' || field.kind === 'url') {
    const drift = pathDrift(field, index, aligned);
    if (drift !== undefined) return drift;
  }
  const same = sameInOtherBytes(field, index) ?? sameInCapitals(field, index);
  if (same !== undefined) return { kind: 'reformatted', expected: same.value, at: same.at };
  if (field.kind === 'hash' || /^0x[0-9a-f]{6,}$/i.test(field.value)) {
    const short = shortenedHash(field.value, index);
    if (short !== undefined) return short;
  }
  const twin = nearestTwin(field.value, field.kind, index, aligned);
  if (twin !== undefined) return { kind: CHANGED[field.kind], expected: twin.value, at: twin.at };
  const expected = aligned.find((one) => one.field.kind === field.kind && one.before + one.after >= 2.5)?.field;
  if (expected !== undefined) return { kind: CHANGED[field.kind], expected: expected.value, at: expected.start };
  // A file or flag that no source resembles may be known from elsewhere; an id may not.
  const isDoubtful = field.kind === 'flag' || (field.kind === 'path' && !field.value.includes('/'));
  return { kind: 'invented_value', expected: undefined, isDoubtful };
}

/** Words in common that make it certain that two texts speak of the same value. */
const CERTAIN_RUN = 3.5;

/** A value of the sources in the place of another one of its kind: the words around it say which belongs there. */
export function misplacedText(
  { value, kind }: CriticalField,
  aligned: readonly AlignedField[],
): LiteralDrift | undefined {
  const best = aligned[0];
  if (best === undefined || best.field.kind !== kind || best.before < 1) return undefined;
  if (best.before + best.after < CERTAIN_RUN || best.field.value.includes(value)) return undefined;
  const isHeld = aligned.some((one) => one.before + one.after >= 1 && one.field.value.includes(value));
  return isHeld ? undefined : { kind: CHANGED[kind], expected: best.field.value, at: best.field.start };
}

/** Whether a literal without a source is what a faithful writer may use of his own: an acronym, a brand, a technical word. */
export function isOwnWord(field: CriticalField, drift: LiteralDrift, inCode: boolean): boolean {
  const { value, kind } = field;
  const distance = drift.expected === undefined ? Infinity : editDistance(value, drift.expected, 3);
  if (kind === 'identifier') {
    if (BARE_CODE.test(value)) return value.length < 5 ? distance > 1 : distance > 2;
    return TECHNICAL_WORD.test(value) && distance > 1;
  }
  if (kind === 'name') {
    if (inCode) return false;
    return PLAIN_MIXED_CASE.test(value) && distance > 2;
  }
  if (kind === 'flag') return value.length < 4 && drift.kind === 'invented_value';
  return false;
}

function sameInOtherBytes(field: CriticalField, index: SourceIndex): { value: string; at: number } | undefined {
  const own = comparable(field.value, field.kind);
  for (const known of index.byKind(field.kind)) {
    if (comparable(known.value, field.kind) === own) return { value: known.value, at: known.at[0] ?? -1 };
  }
  return undefined;
}

const SHORTEST_FOLDED = 5;

/** A name of several parts that the sources have in small letters throughout: `AES-256-CBC` of `-aes-256-cbc`. */
function sameInCapitals({ value }: CriticalField, index: SourceIndex): { value: string; at: number } | undefined {
  if (value.length < SHORTEST_FOLDED || value !== value.toUpperCase() || !/[A-Z].*-/.test(value)) return undefined;
  const lower = value.toLowerCase();
  const at = index.find(lower, 'part');
  return at === -1 ? undefined : { value: lower, at };
}

/** The value without what people write one way or another. */
function comparable(value: string, kind: FieldKind): string {
  const plain = CASELESS.has(kind) ? value.toLowerCase() : value;
  if (kind === 'version') return plain.replace(/^[~^]?v?/, '');
  if (kind === 'url') return plain.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return plain.replace(/[\s`]/g, '');
}

function shortenedHash(value: string, index: SourceIndex): LiteralDrift | undefined {
  const lower = value.toLowerCase().replace(/^0x/, '');
  const known = [...index.byKind('hash'), ...index.byKind('identifier')].filter(
    (one) => one.value.length > value.length,
  );
  const whole = known.find((one) => hexPart(one.value).startsWith(lower));
  if (whole !== undefined) {
    const kind = value.length >= SHORTEST_SHOWN_HASH ? 'reformatted' : 'hash_truncated';
    return { kind, expected: whole.value, at: whole.at[0] };
  }
  const variant = known.slice(0, 2_000).find((one) => {
    const hex = hexPart(one.value);
    return hex.length > lower.length + 2 && editDistance(lower, hex.slice(0, lower.length), 2) <= 2;
  });
  return variant === undefined ? undefined : { kind: 'hash_truncated', expected: variant.value, at: variant.at[0] };
}

/** The longest run of hexadecimal digits of a value. */
function hexPart(value: string): string {
  let longest = '';
  for (const [run] of value.toLowerCase().matchAll(/[0-9a-f]+/g)) if (run.length > longest.length) longest = run;
  return longest;
}
