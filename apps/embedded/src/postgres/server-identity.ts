import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../start-error';

/** Whom the database server runs as; empty: as whoever started us. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`, made when absent. Throws StartError. */
export function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  try {
    return lookUp();
  } catch {
    // No such user yet.
  }
  try {
    execFileSync('groupadd', ['-f', 'postgres'], { stdio: 'ignore' });
    execFileSync('useradd', ['-r', '-M', '-s', '/usr/sbin/nologin', '-g', 'postgres', 'postgres'], { stdio: 'ignore' });
    return lookUp();
  } catch (error) {
    throw new StartError(
      'PostgreSQL refuses to run as root, and the user "postgres" could not be made. ' +
        'Make it (adduser postgres), or run npm start as an ordinary user.',
      { cause: error },
    );
  }
}

function lookUp(): Identity {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}

/** The first folder on the way to `path` that the identity may not pass; undefined when the way is free. */
export function closedFolder(path: string, { uid, gid }: Identity): string | undefined {
  if (uid === undefined) return undefined;
  const folders: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined || !found.isDirectory()) return false;
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001;
    return (found.mode & bit) === 0;
  });
}
