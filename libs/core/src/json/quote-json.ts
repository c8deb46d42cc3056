/**
 * The JSON string literal of a text.
 *
 * Escapes quotes, backslashes, control characters (NUL as `\u0000`) and lone surrogates (`\udXXX`), so the literal is
 * well-formed Unicode and parses back to the same code units; every other character stands as it is.
 */
export function quoteJson(value: string): string {
  return JSON.stringify(value);
}
