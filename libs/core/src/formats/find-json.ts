import { isJsonError, parseJson, type JsonNode } from '../json';

/** The parsed text, as a call's arguments; undefined where it is no JSON. */
export function findJson(text: string): JsonNode | undefined {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (isJsonError(thrown)) return undefined;
    throw thrown;
  }
}
