import { JsonSyntaxError } from './json-errors';
import type { JsonPath } from './json-pointer';

/** Code units of JSON's grammar. */
export const JSON_CODE = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

const BYTE_ORDER_MARK = 0xfeff;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Integers with this many digits are exact doubles, summed up digit by digit. */
const MAX_EXACT_DIGITS = 15;

const isDigit = (code: number): boolean => code >= JSON_CODE.zero && code <= JSON_CODE.nine;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
/** `" / \ b f n r t` */
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set([0x22, 0x2f, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74]);

/**
 * Reads the tokens of a JSON text in one pass; `offset` is the next code unit.
 *
 * Every read throws {@link JsonSyntaxError} where the text breaks RFC 8259; `pathSoFar` is asked only then.
 */
export class JsonScanner {
  offset: number;

  constructor(
    readonly text: string,
    private readonly pathSoFar: () => JsonPath,
  ) {
    this.offset = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  /** Throws the syntax error of a place where something else was expected. */
  fail(expected: string, offset: number = this.offset): never {
    throw new JsonSyntaxError(this.text, offset, expected, this.pathSoFar());
  }

  /** The next code unit after white space, not consumed; NaN at the end of the text. */
  peekToken(): number {
    const text = this.text;
    let offset = this.offset;
    let code = text.charCodeAt(offset);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++offset);
    this.offset = offset;
    return code;
  }

  /** Consumes `true`, `false` or `null`, whose first letter is next. */
  readLiteral(literal: string): void {
    if (!this.text.startsWith(literal, this.offset)) this.fail('a JSON value');
    this.offset += literal.length;
  }

  /** Consumes the string whose opening quote is next, and decodes it. */
  readString(): string {
    const text = this.text;
    const start = this.offset;
    let offset = start + 1;
    let isEscaped = false;
    for (;;) {
      const code = text.charCodeAt(offset);
      if (code === JSON_CODE.quote) break;
      if (code === BACKSLASH) {
        isEscaped = true;
        offset = this.endOfEscape(offset);
      } else if (code >= 0x20) {
        offset++;
      } else {
        this.fail(code < 0x20 ? 'an escaped control character' : "'\"' at the end of the string", offset);
      }
    }
    this.offset = offset + 1;
    return isEscaped ? decodeString(text.slice(start, offset + 1)) : text.slice(start + 1, offset);
  }

  /** Consumes the number whose first character is next; returns the nearest double. */
  readNumber(): number {
    const text = this.text;
    const start = this.offset;
    const isNegative = text.charCodeAt(start) === JSON_CODE.minus;
    const digitsStart = isNegative ? start + 1 : start;
    let offset = digitsStart;
    let sum = 0;
    let code = text.charCodeAt(offset);
    if (code === JSON_CODE.zero) {
      code = text.charCodeAt(++offset);
    } else {
      if (!isDigit(code)) this.fail('a digit', offset);
      while (isDigit(code)) {
        sum = sum * 10 + (code - JSON_CODE.zero);
        code = text.charCodeAt(++offset);
      }
    }
    let isExact = offset - digitsStart <= MAX_EXACT_DIGITS;
    if (code === 0x2e) {
      isExact = false;
      offset = this.endOfDigits(offset + 1);
      code = text.charCodeAt(offset);
    }
    if (code === 0x65 || code === 0x45) {
      isExact = false;
      const sign = text.charCodeAt(offset + 1);
      offset = this.endOfDigits(sign === 0x2b || sign === JSON_CODE.minus ? offset + 2 : offset + 1);
    }
    this.offset = offset;
    if (!isExact) return Number(text.slice(start, offset));
    return isNegative ? -sum : sum;
  }

  private endOfDigits(start: number): number {
    let offset = start;
    while (isDigit(this.text.charCodeAt(offset))) offset++;
    if (offset === start) this.fail('a digit', start);
    return offset;
  }

  private endOfEscape(start: number): number {
    const code = this.text.charCodeAt(start + 1);
    if (SIMPLE_ESCAPES.has(code)) return start + 2;
    if (code !== LOWER_U) this.fail('one of the escapes "\\/bfnrtu', start + 1);
    for (let offset = start + 2; offset < start + 6; offset++) {
      if (!isHexDigit(this.text.charCodeAt(offset))) this.fail('four hexadecimal digits', offset);
    }
    return start + 6;
  }
}

/** The engine decodes a literal that is already known to be a valid string: linear, whatever the number of escapes. */
function decodeString(literal: string): string {
  const decoded: unknown = JSON.parse(literal);
  if (typeof decoded !== 'string') throw new TypeError('A JSON string literal decodes to a string');
  return decoded;
}
