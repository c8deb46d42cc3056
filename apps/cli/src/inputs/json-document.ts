import { isJsonError, type JsonNode, parseJson } from '@holdfast/core';
import { CliError } from '../cli-error';
import { readTextFile } from './text-file';

/** A JSON document from a file, losslessly: every key is a key. Throws CliError with path and reason. */
export function readJsonDocument(path: string): JsonNode {
  try {
    return parseJson(readTextFile(path));
  } catch (error) {
    if (!isJsonError(error)) throw error;
    throw new CliError(`Cannot read ${path}: it is no JSON (${error.message}).`);
  }
}
