import { isAsciiWordCode, isDigitCode, isWordAt } from './word-character';

/** A stretch of text that may be one token, at UTF-16 offsets. */
export interface TokenRun {
  readonly start: number;
  readonly end: number;
}

const TRIMMED_AT_END = new Set(['.', ',', ':', ';', '!', '?', '*', '-', '@', '#', '~', '+']);
const CURRENCY = new Set(['$', '€', '£', '¥']);
const ENDS_OF_URL = /[\s"'<>`{}|\\^\u2018-\u201f\u3000-\u303f]/;
const THOUSANDS_SO_FAR = /^[A-Z]{0,2}[-+$€£¥]*\d{1,3}(?:,\d{3})*$/;
const PERCENT = 0x25;
/** `R$`, `US$`: letters before the sign. */
const LONGEST_MONEY_PREFIX = 2;
/** Longer than any number with separators, so that looking back stays cheap. */
const MAX_THOUSANDS_LENGTH = 32;

/**
 * The next token at or after an offset; undefined at the end. White space, quotes and brackets end a token;
 * punctuation belongs to it only where the characters around it say so. Every character is looked at a bounded number
 * of times.
 */
export function nextTokenRun(text: string, from: number): TokenRun | undefined {
  let start = from;
  for (;;) {
    while (start < text.length && !startsToken(text, start)) start++;
    if (start >= text.length) return undefined;
    const { run, scannedTo } = runFrom(text, start);
    if (run.end > run.start) return run;
    start = Math.max(scannedTo, start + 1);
  }
}

function runFrom(text: string, start: number): { readonly run: TokenRun; readonly scannedTo: number } {
  const scan: RunScan = { hasSlash: false, hasBackslash: false, hasColon: false };
  let end = start;
  while (end < text.length) {
    if (isUrlStart(text, start, end)) return { run: urlRun(text, start, end), scannedTo: end };
    if (!continuesToken(text, start, end, scan)) break;
    end++;
    if (text.charCodeAt(end - 1) === PERCENT) break;
  }
  return { run: { start, end: trimmedEnd(text, start, end) }, scannedTo: end };
}

interface RunScan {
  hasSlash: boolean;
  hasBackslash: boolean;
  hasColon: boolean;
}

function startsToken(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code < 0x80 ? isAsciiWordCode(code) : isWordAt(text, offset)) return true;
  const next = text.charCodeAt(offset + 1);
  const isNextWord = isAsciiWordCode(next);
  switch (text.charAt(offset)) {
    case '$':
    case '€':
    case '£':
    case '¥':
    case '#':
    case '@':
      return isNextWord || (next === 0x2d && isDigitCode(text.charCodeAt(offset + 2)));
    case '-':
      return !isWordAt(text, offset - 1) && (isNextWord || next === 0x2d || CURRENCY.has(text.charAt(offset + 1)));
    case '+':
      return isDigitCode(next) && !isWordAt(text, offset - 1);
    case '.':
      if (text.charCodeAt(offset - 1) === 0x2e) return false;
      return isNextWord || next === 0x2f || (next === 0x2e && text.charCodeAt(offset + 2) === 0x2f);
    case '/':
      return isNextWord || next === 0x2e || next === 0x40;
    case '~':
      return next === 0x2f || isDigitCode(next);
    case '^':
      return isDigitCode(next);
    case '*':
      return next === 0x2e && isAsciiWordCode(text.charCodeAt(offset + 2));
    case '\\':
      return next === 0x5c && isAsciiWordCode(text.charCodeAt(offset + 2));
    default:
      return false;
  }
}

function continuesToken(text: string, start: number, offset: number, scan: RunScan): boolean {
  const code = text.charCodeAt(offset);
  if (code < 0x80 ? isAsciiWordCode(code) : isWordAt(text, offset)) return true;
  if (offset === start) {
    if (code === 0x2f) scan.hasSlash = true;
    if (code === 0x5c) scan.hasBackslash = true;
    return true;
  }
  const next = text.charCodeAt(offset + 1);
  const isNextWord = isAsciiWordCode(next) || (next >= 0x80 && isWordAt(text, offset + 1));
  const before = text.charCodeAt(offset - 1);
  switch (text.charAt(offset)) {
    case '-':
      return isNextWord || (next === 0x2d && offset - start < 2) || (next === 0x2d && scan.hasSlash);
    case '.':
      if (isNextWord || (next === 0x2f && (before === 0x2f || before === 0x2e))) return true;
      return (next === 0x2e && before === 0x2f) || (next === 0x2a && scan.hasSlash);
    case '/':
      scan.hasSlash = true;
      return true;
    case ':':
      scan.hasColon = true;
      if (isNextWord || (next === 0x5c && offset === start + 1)) return true;
      return next === 0x3a && (text.charCodeAt(offset + 2) === 0x3a || isAsciiWordCode(text.charCodeAt(offset + 2)));
    case '\\':
      if (!scan.hasBackslash && !(before === 0x3a && offset === start + 2)) return false;
      scan.hasBackslash = true;
      return isNextWord || next === 0x5c;
    case '@':
      return isNextWord;
    case '#':
      return scan.hasSlash && isNextWord;
    case '$':
    case '€':
    case '£':
    case '¥':
      return offset - start <= LONGEST_MONEY_PREFIX && isDigitCode(next);
    case '*':
      return scan.hasSlash;
    case '+':
      return isNextWord && (!(isDigitCode(before) && isDigitCode(next)) || scan.hasColon);
    case '%':
      return isDigitCode(before);
    case ',':
      return isThousandsComma(text, start, offset);
    default:
      return false;
  }
}

function isThousandsComma(text: string, start: number, offset: number): boolean {
  if (offset - start > MAX_THOUSANDS_LENGTH) return false;
  for (let digit = offset + 1; digit <= offset + 3; digit++) if (!isDigitCode(text.charCodeAt(digit))) return false;
  return !isAsciiWordCode(text.charCodeAt(offset + 4)) && THOUSANDS_SO_FAR.test(text.slice(start, offset));
}

function isUrlStart(text: string, start: number, offset: number): boolean {
  return text.charCodeAt(offset) === 0x3a && offset > start && offset - start < 20 && text.startsWith('://', offset);
}

function urlRun(text: string, start: number, colon: number): TokenRun {
  let end = colon + 3;
  while (end < text.length && !ENDS_OF_URL.test(text.charAt(end))) end++;
  let openBrackets = 0;
  for (let offset = start; offset < end; offset++) {
    const character = text.charAt(offset);
    if (character === '(' || character === '[') openBrackets++;
    if (character !== ')' && character !== ']') continue;
    if (openBrackets === 0) {
      end = offset;
      break;
    }
    openBrackets--;
  }
  return { start, end: Math.max(trimmedEnd(text, start, end), colon) };
}

function trimmedEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && TRIMMED_AT_END.has(text.charAt(trimmed - 1))) trimmed--;
  return trimmed;
}
