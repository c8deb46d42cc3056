import { accessSync, chmodSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, StartError, systemCode } from './start-error';

/** Everything that a run keeps, in one folder. */
export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  readonly credentials: string;
  /** Key that wraps the keys of stored content. */
  readonly encryptionKeys: string;
  readonly state: string;
  readonly lock: string;
  logOf(process: string): string;
}

/**
 * Makes the folder where it is missing and proves that it can be written. Others may pass through a new one (PostgreSQL
 * runs as another user under root) and see nothing. Throws StartError.
 */
export function openDataFolder(path: string): DataFolder {
  try {
    const isNew = mkdirSync(path, { recursive: true }) !== undefined;
    // Only a folder of our own making: one that the user named keeps its mode.
    if (isNew) chmodSync(path, 0o711);
    accessSync(path, constants.W_OK | constants.X_OK);
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
    writeFileSync(join(path, 'logs', '.write-check'), 'x');
  } catch (error) {
    throw fileError(path, error);
  }
  return {
    path,
    postgres: join(path, 'postgres'),
    credentials: join(path, 'credentials.json'),
    encryptionKeys: join(path, 'encryption.keys'),
    state: join(path, 'state.json'),
    lock: join(path, 'lock'),
    logOf: (process) => join(path, 'logs', `${process}.log`),
  };
}

/** A JSON object from a file of the folder; undefined when there is none. Throws StartError when it cannot be used. */
export function readJsonObject(path: string): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(path, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Told below, like any other content that is no object.
  }
  throw new StartError(`${path} is damaged: it holds no JSON object. Restore it, or move it away and start again.`);
}

/** Replaces a file of the folder in one step, readable by its owner only. Throws StartError. */
export function writeJsonObject(path: string, value: Readonly<Record<string, unknown>>): void {
  const next = `${path}.next`;
  try {
    writeFileSync(next, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    throw fileError(path, error);
  }
}
