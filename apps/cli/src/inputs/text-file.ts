import { readFileSync, writeFileSync } from 'node:fs';
import { CliError } from '../cli-error';

/** Why the system would not read or write, by its error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  ERR_STRING_TOO_LONG: 'it is too large for one text',
};

/** Why a file operation failed, in words. */
export function fileErrorReason(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** The text of a file, a byte order mark left out. Throws CliError with the path when it cannot be read as UTF-8. */
export function readTextFile(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new CliError(`Cannot read ${path}: ${fileErrorReason(error)}.`);
  }
}

/** A JSON document from a file. Throws CliError with path and place. */
export function readJsonFile(path: string): unknown {
  const text = readTextFile(path);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CliError(`Cannot read ${path}: it is no JSON (${error instanceof Error ? error.message : 'unknown'}).`);
  }
}

/** Writes a file, replacing what was there: bytes as they are, text as UTF-8. Throws CliError with the path. */
export function writeTextFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new CliError(`Cannot write ${path}: ${fileErrorReason(error)}.`);
  }
}
