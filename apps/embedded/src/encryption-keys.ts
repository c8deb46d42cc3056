import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { DataFolder } from './data-folder';
import { fileError } from './start-error';

const KEY_BYTES = 32;

/**
 * The file of the key that wraps the keys of stored content, readable by its owner only; drawn once. Its name is drawn
 * too, so that content of a lost key names what is missing. Throws StartError.
 */
export function openEncryptionKeys({ encryptionKeys: path }: Pick<DataFolder, 'encryptionKeys'>): string {
  if (existsSync(path)) return path;
  const name = `local-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(path, `${name}:${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw fileError(path, error);
  }
  return path;
}
