import { parseJson, type JsonNode } from '../json';

/** Longest result that is parsed to look for its status or its values; longer ones are tables and pages, not receipts. */
const MAX_PARSED_CHARS = 200_000;

/** A result as the rules look at it. */
export interface ResultText {
  readonly text: string;
  /** The provider's own error flag. */
  readonly isError: boolean | undefined;
  /** The result as JSON; undefined when it is none. Parsed on first use. */
  json(): JsonNode | undefined;
}

export function resultText(text: string, isError: boolean | undefined): ResultText {
  let parsed: { readonly node: JsonNode | undefined } | undefined;
  return { text, isError, json: () => (parsed ??= { node: parseObjectOrArray(text) }).node };
}

function parseObjectOrArray(text: string): JsonNode | undefined {
  if (text.length > MAX_PARSED_CHARS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
