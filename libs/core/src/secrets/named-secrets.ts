import { isDense } from './key-shapes';
import { isPlaceholder } from './placeholder-value';
import { strengthOfName, type NameStrength } from './secret-names';
import type { SecretSpan } from './secret-span';

/** Parts of the names of secrets, as short as they can be looked for: names are rare, so most of a text is passed over. */
const STEMS = [
  'pass',
  'pwd',
  '_pw',
  'secret',
  'token',
  'cred',
  'key',
  'authori',
  'bearer',
  'sig',
  'pin',
  'cvv',
  'cvc',
  'otp',
  'code',
  'contrasena',
  'motdepasse',
];

/** A name is this long at most; what is longer is no name. */
const MAX_NAME = 64;
const MAX_VALUE = 4_096;

/**
 * What stands between a name and its value: `=`, `:`, `=>`, `:=`, `is`, a blank behind a flag, `>` of a tag; quotes of
 * the name and of the value, escaped or not.
 */
const SEPARATOR =
  /(\\{0,3}["'`])?\]?(?:[ \t]{1,4}(?:for|of|to|on|from|at|in)[ \t](?:[^\s:=.,;]{1,40}[ \t]){0,4}?[^\s:=.,;]{1,40}(?=[ \t]{0,4}[:=]|[ \t]is[ \t]))?[ \t]{0,8}(?:(:=|=>|->|==?|:|\|)[ \t]{0,8}(?:\\?\r?\n[ \t]{0,16})?|(>)|([ \t]{0,4}(?:is|was|set to|to)[ \t]{0,2}:?[ \t]{1,4})|([ \t]{1,4}))(\\{0,3}["'`])?/uy;

/** `api key`, `access token`: the word in front belongs to the name. */
const WORD_BEFORE =
  /\b(api|access|secret|private|auth|signing|encryption|master|security|verification|account|door|alarm)[ \t]$/iu;

const BARE_VALUE = /[^\s"'`<>,;&|)\]}\\]{1,600}/uy;

/** Values that a name makes secret, in assignments, JSON, YAML, URLs, options, connection strings and sentences. */
export function findNamedSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let reached = 0;
  for (const stem of stemPlaces(text)) {
    if (stem < reached) continue;
    const start = nameStart(text, stem);
    const end = nameEnd(text, stem);
    const found = end - start > MAX_NAME ? undefined : valueOf(text, start, end);
    reached = found?.end ?? end;
    if (found !== undefined) spans.push(found);
  }
  return spans;
}

/** Where a stem stands, ascending. */
function stemPlaces(text: string): readonly number[] {
  const lower = text.toLowerCase();
  // A few letters of other scripts grow when they are lowered, and every place after them would be off.
  const searched = lower.length === text.length ? lower : text;
  const places: number[] = [];
  for (const stem of STEMS) {
    for (let at = searched.indexOf(stem); at !== -1; at = searched.indexOf(stem, at + stem.length)) places.push(at);
  }
  return places.sort((a, b) => a - b);
}

function valueOf(text: string, start: number, end: number): SecretSpan | undefined {
  SEPARATOR.lastIndex = end;
  const separator = SEPARATOR.exec(text);
  if (separator === null) return undefined;
  const [, , sign, tag, says, blank, quote] = separator;
  const isFlag = /(?:^|[\s"'])-{1,2}$/u.test(text.slice(Math.max(0, start - 3), start));
  const before = WORD_BEFORE.exec(text.slice(Math.max(0, start - 14), start))?.[1];
  const name = before === undefined ? text.slice(start, end) : `${before}_${text.slice(start, end)}`;
  const strength = strengthOfName(name);
  if (strength === undefined) return undefined;
  const from = end + separator[0].length;
  const to = quote === undefined ? bareEnd(text, from, tag !== undefined) : quotedEnd(text, from, quote);
  if (to === undefined || to <= from) return undefined;
  const value = text.slice(from, to);
  const place: Place =
    blank !== undefined && !isFlag
      ? 'beside'
      : quote !== undefined || tag !== undefined
        ? 'quoted'
        : isFlag || (sign === '=' && isAssigned(text, start, name))
          ? 'assigned'
          : says === undefined
            ? 'loose'
            : 'said';
  return isSecret(value, strength, place) ? { kind: kindOf(name, strength), start: from, end: to } : undefined;
}

/**
 * How a value stands: `said` in a sentence, `loose` as in YAML or code, `assigned` as in an environment or a URL,
 * `beside` its name with nothing between.
 */
type Place = 'quoted' | 'assigned' | 'loose' | 'said' | 'beside';

function isSecret(value: string, strength: NameStrength, place: Place): boolean {
  if (isPlaceholder(value)) return false;
  const hasDigit = /\d/u.test(value);
  const hasLetter = /\p{L}/u.test(value);
  if (place === 'beside') {
    if (strength === 'code') return /^\d{4,8}$/u.test(value);
    const isStrange = value.length >= 6 && hasDigit && hasLetter && /[!@#$%^&*+~]/u.test(value);
    return (value.length >= 12 && isDense(value)) || (strength === 'password' && isStrange);
  }
  if (strength === 'code') return /^\d{3,8}$/u.test(value) && place !== 'loose' ? true : /^\d{4,8}$/u.test(value);
  if (strength === 'password') {
    if (value.length < 3) return false;
    if (place === 'quoted') return value.length <= 200 && !/^\S+(?:\s+\S+){5,}$/u.test(value) && !isSentence(value);
    if (place === 'assigned') return true;
    const mixed = hasDigit || /[^\p{L}\p{N}_.(){}[\]:/-]/u.test(value);
    return mixed && value.length >= 4 && !/^\d{1,3}$|[({]$/u.test(value);
  }
  if (value.length < 8 || /\s/u.test(value) || !hasLetter) return false;
  // Code: a variable, a member of something.
  if (place === 'loose' && (!hasDigit || /^[\p{L}_$][\w$]*(?:\.[\p{L}_$][\w$]*)+$/u.test(value))) return false;
  if (place === 'said') return value.length >= 12 && (isDense(value) || (hasDigit && /[A-Z]/u.test(value)));
  return hasDigit || (value.length >= 16 && /[a-z]/u.test(value) && /[A-Z]/u.test(value) && !/[ ./]/u.test(value));
}

/** Words of a person or a check: "must be at least 8 characters", "Too short". */
function isSentence(value: string): boolean {
  return (
    /\s/u.test(value) &&
    /^\p{Lu}\p{Ll}|[.!?]$|\b(?:must|required|at least|too|not|is|be|should|your|the)\b/u.test(value)
  );
}

/** `NAME=value` of an environment, `?name=value` of a URL, `Name=value;` of a connection string. */
function isAssigned(text: string, start: number, name: string): boolean {
  const before = text.slice(Math.max(0, start - 8), start);
  if (/[?&;]$/u.test(before)) return true;
  return /^[A-Z\d_]+$/u.test(name) && /(?:^|[\n\s"'])$/u.test(before);
}

function nameStart(text: string, from: number): number {
  let start = from;
  const limit = Math.max(0, from - MAX_NAME - 1);
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  // Dashes in front of a flag are no part of its name.
  while (start < from && text.charAt(start) === '-') start += 1;
  return start;
}

function nameEnd(text: string, from: number): number {
  let end = from;
  const limit = Math.min(text.length, from + MAX_NAME + 1);
  while (end < limit && isNameCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** Letters, digits, `_` and `-`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45
  );
}

function bareEnd(text: string, from: number, inTag: boolean): number {
  if (inTag) {
    const close = text.slice(from, from + MAX_VALUE).indexOf('</');
    return close === -1 ? from : from + close;
  }
  BARE_VALUE.lastIndex = from;
  const value = BARE_VALUE.exec(text)?.[0] ?? '';
  return from + value.replace(/[.,:?]+$/u, '').length;
}

/** Where the quote closes: escaped as it was opened; undefined when it does not in time. */
function quotedEnd(text: string, from: number, quote: string): number | undefined {
  const close = text.slice(from, from + MAX_VALUE).indexOf(quote);
  if (close !== -1) return from + close;
  const line = /^[^\n"'`\\]*/u.exec(text.slice(from, from + MAX_VALUE))?.[0] ?? '';
  return from + line.length;
}

function kindOf(name: string, strength: NameStrength): string {
  if (strength === 'password') return 'password';
  if (strength === 'code') return 'code';
  return /token|bearer/iu.test(name) ? 'token' : /key/iu.test(name) ? 'api_key' : 'secret';
}
