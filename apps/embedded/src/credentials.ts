import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type DataFolder, readJsonObject, writeJsonObject } from './data-folder';
import { StartError } from './start-error';

/** Secrets of one data folder, drawn once. The database's passwords and the pepper cannot be replaced by other ones. */
export interface Credentials {
  readonly ownerPassword: string;
  readonly runtimePassword: string;
  readonly keyPepper: string;
  /** API key of the person at the terminal; undefined until it was made. */
  readonly apiKey: string | undefined;
}

const SECRET_BYTES = 24;
const PEPPER_BYTES = 32;

/** Reads the secrets, or draws them for a new folder. Throws StartError when the database is there and they are not. */
export function openCredentials(folder: DataFolder): Credentials {
  const stored = readJsonObject(folder.credentials);
  if (stored === undefined) {
    if (existsSync(folder.postgres)) {
      throw new StartError(
        `${folder.credentials} is missing, and with it the password of the database in ${folder.postgres}. ` +
          `Restore the file, or move the database away (mv ${folder.postgres} ${folder.postgres}.old) and start again.`,
      );
    }
    const drawn: Credentials = {
      ownerPassword: randomBytes(SECRET_BYTES).toString('hex'),
      runtimePassword: randomBytes(SECRET_BYTES).toString('hex'),
      keyPepper: randomBytes(PEPPER_BYTES).toString('hex'),
      apiKey: undefined,
    };
    saveCredentials(folder, drawn);
    return drawn;
  }
  const text = (name: string): string => {
    const value = stored[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new StartError(
      `${folder.credentials} is damaged: "${name}" is missing. Restore the file, or move ${folder.path} away and start again.`,
    );
  };
  const apiKey = stored['api_key'];
  return {
    ownerPassword: text('owner_password'),
    runtimePassword: text('runtime_password'),
    keyPepper: text('key_pepper'),
    apiKey: typeof apiKey === 'string' ? apiKey : undefined,
  };
}

/** Keeps the secrets, readable by their owner only. */
export function saveCredentials(folder: DataFolder, credentials: Credentials): void {
  writeJsonObject(folder.credentials, {
    owner_password: credentials.ownerPassword,
    runtime_password: credentials.runtimePassword,
    key_pepper: credentials.keyPepper,
    ...(credentials.apiKey === undefined ? {} : { api_key: credentials.apiKey }),
  });
}
