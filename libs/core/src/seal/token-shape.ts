import type { FieldKind } from './critical-field';
import {
  COMMON_MIXED_CASE_NAMES,
  FILE_EXTENSIONS,
  HOST_ENDINGS,
  NUMBER_SUFFIXES,
  PATH_ROOTS,
  UNITS,
  UPPER_CASE_WORDS,
} from './known-words';

/** Where a token stands, as far as its kind depends on it. */
export interface TokenPlace {
  /** Directly inside back-ticks: what would be an ordinary word is a name there. */
  readonly isCode: boolean;
  /** The character before is white space, an opening quote or bracket, or the start of the text. */
  readonly isDetached: boolean;
}

/** Kind of a token, and how much of it the field covers where that is not all. */
export interface TokenShape {
  readonly kind: FieldKind;
  readonly length?: number;
}

const NUMBER = /^[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?%?$/;
const AMOUNT = /^[-+]?(?:[A-Z]{1,2})?[$€£¥]-?\d+(?:,\d{3})*(?:\.\d+)?(?:[kKMB]|bn|mn)?$/;
const NUMBER_AND_LETTERS = /^([-+]?\d+(?:,\d{3})*(?:\.\d+)?)([A-Za-z]+)$/;
const CLOCK_SUFFIX = /^(?:am|pm|AM|PM)$/;
const COUNT_AND_WORD = /^(\d+)-[a-z]{2,}(?:-[a-z]+)*$/;
const DURATION = /^(?:\d+(?:\.\d+)?(?:d|h|m|s|ms))+$/;
const ISO_DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T_]\d{2}[\d:.,-]*(?:Z|[-+]\d{2}:?\d{2})?)?)?$/;
const NUMERIC_DATE = /^(?:\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}([./-])\d{1,2}\1\d{4}|\d{1,2}([/-])\d{1,2}\2\d{2})$/;
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[-+]\d{1,2}(?::?\d{2})?)?(?:am|pm|AM|PM)?$/;
const NUMBER_PAIR = /^\d+(?:\.\d+)?(?:[-/:x]\d+(?:\.\d+)?)+%?$/;
const VERSION = /^(?:[~^]?v?\d+(?:\.\d+){2,}(?:[-+][\w.+-]+)?|[~^]?v\d+(?:\.\d+)*(?:[-+][\w.+-]+)?|[~^]\d+(?:\.\d+)*)$/;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:\/\d+)?$/;
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const REMOTE = /^[\w-]+@[\w.-]+:[\w./-]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^(?:(?:sha|md)\d+[:-])?[0-9a-f]{7,}$/i;
const LONG_FLAG = /^--[A-Za-z][\w-]*$/;
const SHORT_FLAG = /^-[A-Za-z]{1,2}$/;
const VARIABLE = /^\$[A-Za-z_]\w*$/;
const ENVIRONMENT_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const CAMEL = /^[a-z]+[0-9]*[A-Z][A-Za-z0-9]*$/;
const PASCAL = /^(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*$/;
const UPPER_CODE = /^[A-Z]{3,8}$/;
const WORD_CHARACTERS = /^\w+$/;

/** The kind of critical field that a token is, by its shape alone; undefined for ordinary words. Linear in its length. */
export function shapeOfToken(token: string, place: TokenPlace): TokenShape | undefined {
  return (
    numericShape(token) ??
    addressShape(token) ??
    optionShape(token, place) ??
    pathShape(token, place) ??
    nameShape(token, place)
  );
}

function numericShape(token: string): TokenShape | undefined {
  const first = token.charCodeAt(0);
  const mayBeNumeric =
    (first >= 0x30 && first <= 0x39) || '-+$€£¥~^v'.includes(token.charAt(0)) || /^[A-Z]{1,2}[$€£¥]/.test(token);
  if (!mayBeNumeric || !/\d/.test(token)) return undefined;
  if (NUMBER.test(token)) return { kind: 'number' };
  if (AMOUNT.test(token)) return { kind: 'amount' };
  if (ISO_DATE.test(token) || NUMERIC_DATE.test(token) || CLOCK.test(token)) return { kind: 'date' };
  if (ADDRESS.test(token)) return { kind: 'identifier' };
  if (VERSION.test(token)) return { kind: 'version' };
  if (NUMBER_PAIR.test(token) || DURATION.test(token)) return { kind: 'number' };
  const suffix = NUMBER_AND_LETTERS.exec(token)?.[2];
  if (suffix !== undefined && CLOCK_SUFFIX.test(suffix)) return { kind: 'date' };
  if (suffix !== undefined && (UNITS.has(suffix) || NUMBER_SUFFIXES.has(suffix))) return { kind: 'number' };
  const count = COUNT_AND_WORD.exec(token)?.[1];
  return count === undefined ? undefined : { kind: 'number', length: count.length };
}

function addressShape(token: string): TokenShape | undefined {
  if (token.includes('://') || token.startsWith('www.')) return { kind: 'url' };
  if (token.includes('@')) {
    if (EMAIL.test(token)) return { kind: 'email' };
    if (REMOTE.test(token)) return { kind: 'url' };
  }
  if (UUID.test(token)) return { kind: 'identifier' };
  const isHash = HASH.test(token) && /\d/.test(token) && /[a-f]/i.test(token);
  return isHash ? { kind: 'hash' } : undefined;
}

function optionShape(token: string, place: TokenPlace): TokenShape | undefined {
  if (!token.startsWith('-') && !token.startsWith('$')) return undefined;
  if (LONG_FLAG.test(token)) return { kind: 'flag' };
  if (place.isDetached && SHORT_FLAG.test(token)) return { kind: 'flag' };
  return VARIABLE.test(token) ? { kind: 'name' } : undefined;
}

/** `NV-2291/A` and `3A1/7C00E2B8`: codes in capitals, and no path. */
const CODE_WITH_SLASH = /^(?=[^/]*\d)[A-Z0-9-]+\/(?:[A-Z]|[A-Z0-9-]*\d[A-Z0-9-]*)$/;

function pathShape(token: string, place: TokenPlace): TokenShape | undefined {
  if (CODE_WITH_SLASH.test(token) && /[A-Z]/.test(token)) return { kind: 'identifier' };
  const isPath = token.includes('\\') || (token.includes('/') && isSlashPath(token, place));
  if (isPath || isFileName(token)) return { kind: 'path' };
  return undefined;
}

function isSlashPath(token: string, place: TokenPlace): boolean {
  const segments = token.split('/').filter((segment) => segment !== '');
  const first = segments[0];
  if (first === undefined) return false;
  if (/^(?:\/|~\/|\.{1,2}\/|@)/.test(token)) return true;
  if (place.isCode || token.endsWith('/') || segments.length > 3) return true;
  return PATH_ROOTS.has(first) || /[\d_.*]/.test(token) || /[a-z]-[a-z]/.test(token);
}

function isFileName(token: string): boolean {
  const withoutLine = token.replace(/(?::\d+)+$/, '');
  const dot = withoutLine.lastIndexOf('.');
  if (dot === -1 || dot === withoutLine.length - 1) return false;
  if (dot === 0) return /^\.[a-z][\w-]+$/.test(withoutLine);
  return FILE_EXTENSIONS.has(withoutLine.slice(dot + 1).toLowerCase()) && /\w/.test(withoutLine.slice(0, dot));
}

function nameShape(token: string, place: TokenPlace): TokenShape | undefined {
  if (!/[A-Za-z]/.test(token)) return /\d/.test(token) ? { kind: 'identifier' } : undefined;
  if (ENVIRONMENT_NAME.test(token)) return { kind: 'name' };
  if (token.includes('.') && !/\d/.test(token)) return dottedShape(token, place);
  if (/\d/.test(token)) return { kind: 'identifier' };
  if (/[A-Za-z]_+[A-Za-z]/.test(token)) return { kind: 'name' };
  if ((CAMEL.test(token) || PASCAL.test(token)) && !COMMON_MIXED_CASE_NAMES.has(token)) return { kind: 'name' };
  if (UPPER_CODE.test(token) && !UPPER_CASE_WORDS.has(token)) return { kind: 'identifier' };
  if (token.startsWith('@') && WORD_CHARACTERS.test(token.slice(1))) return { kind: 'name' };
  if (place.isCode && token.length > 1) return { kind: 'name' };
  return undefined;
}

function dottedShape(token: string, place: TokenPlace): TokenShape | undefined {
  const ending = token.slice(token.lastIndexOf('.') + 1);
  const segments = token.split('.');
  if (HOST_ENDINGS.has(ending) && segments.length > 1) return { kind: 'url' };
  const isCodeName =
    place.isCode || segments.some((segment) => CAMEL.test(segment) || PASCAL.test(segment) || segment.includes('_'));
  const isMemberName = segments.every((segment) => /^[a-z]{2,}$/.test(segment));
  return isCodeName || isMemberName ? { kind: 'name' } : undefined;
}
