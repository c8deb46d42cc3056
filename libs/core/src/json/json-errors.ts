import { HoldfastError, isHoldfastError } from '../errors';
import { jsonPointer, type JsonPath } from './json-pointer';

/** Where a syntax error stands; line and column count from 1, columns are UTF-16 code units. */
export interface JsonErrorPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The text is not JSON (RFC 8259). A repeat with the same text fails again. */
export class JsonSyntaxError extends HoldfastError implements JsonErrorPosition {
  declare readonly code: 'JSON_SYNTAX';
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** JSON Pointer of the value that was being read. */
  readonly path: string;

  constructor(text: string, offset: number, expected: string, path: JsonPath) {
    const { line, column } = positionAt(text, offset);
    super(
      'JSON_SYNTAX',
      `Expected ${expected}, found ${describeAt(text, offset)} at line ${String(line)}, column ${String(column)}`,
      'Send valid JSON (RFC 8259); the offset names the first character that is wrong.',
    );
    this.offset = offset;
    this.line = line;
    this.column = column;
    this.path = jsonPointer(path);
  }
}

/** What a {@link JsonLimitError} says about the limit that a text exceeds. */
export type JsonLimitCode = 'JSON_TOO_DEEP' | 'JSON_TOO_MANY_NODES';

/** The text exceeds a limit of the reader; it may be valid JSON. */
export class JsonLimitError extends HoldfastError {
  declare readonly code: JsonLimitCode;
  /** The limit that is exceeded: levels of nesting, or nodes. */
  readonly limit: number;
  /** JSON Pointer of the value that exceeds it. */
  readonly path: string;

  constructor(code: JsonLimitCode, limit: number, path: JsonPath) {
    super(
      code,
      code === 'JSON_TOO_DEEP'
        ? `JSON is nested more than ${String(limit)} levels deep`
        : `JSON has more than ${String(limit)} values`,
      'Send a smaller or flatter text, or raise the limit of the reader.',
    );
    this.limit = limit;
    this.path = jsonPointer(path);
  }
}

const JSON_ERROR_CODES: ReadonlySet<string> = new Set(['JSON_SYNTAX', 'JSON_TOO_DEEP', 'JSON_TOO_MANY_NODES']);

/** Whether a thrown value is an error of the JSON reader, recognised by its code. */
export function isJsonError(thrown: unknown): thrown is JsonSyntaxError | JsonLimitError {
  return isHoldfastError(thrown) && JSON_ERROR_CODES.has(thrown.code);
}

/** Line and column of an offset; CR, LF and CR LF each end a line. */
function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < offset; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}

/** One character at most, so that no content of a window gets into a log. */
function describeAt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  const code = text.charCodeAt(offset);
  const isPrintable = code > 0x20 && code < 0x7f;
  return isPrintable ? `'${text.charAt(offset)}'` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
