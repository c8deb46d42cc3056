import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, StartError, systemCode } from '../start-error';

/**
 * Looks at the database's folder: `absent`, or `usable` by this major version. Throws StartError that says what to do;
 * nothing is ever removed here.
 */
export function checkDatabaseFolder(folder: string, major: string): 'absent' | 'usable' {
  const moveAway = `Move it away (mv ${folder} ${folder}.old) and start again: a new database is made, and the old one stays.`;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 'absent';
  if (!found.isDirectory())
    throw new StartError(`${folder} is a file where the database's folder should be. ${moveAway}`);
  let version: string;
  try {
    version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
    statSync(join(folder, 'global', 'pg_control'));
  } catch (error) {
    if (systemCode(error) === 'EACCES') {
      throw new StartError(
        `${folder} belongs to another user: an earlier run was started as somebody else (root, perhaps). ` +
          'Run as the same user, or name another folder with --data.',
        { cause: error },
      );
    }
    if (systemCode(error) !== 'ENOENT') throw fileError(folder, error);
    throw new StartError(
      `${folder} is damaged: PG_VERSION or global/pg_control is missing, so it is no database of PostgreSQL. ${moveAway}`,
      { cause: error },
    );
  }
  if (version !== major) {
    throw new StartError(
      `${folder} was made by PostgreSQL ${version || '(unreadable)'}, and this build brings PostgreSQL ${major}. ${moveAway}`,
    );
  }
  return 'usable';
}

/** Why a server ended, in a sentence, from what it logged. */
export function diagnoseServerLog(log: string, folder: string, logFile: string): string {
  const moveAway = `If the data are not needed, move the folder away (mv ${folder} ${folder}.old) and start again.`;
  if (/No space left on device/u.test(log)) {
    return `PostgreSQL could not start: the disk of ${folder} is full. Free some space and start again.`;
  }
  if (/error while loading shared libraries|Library not loaded/u.test(log)) {
    return 'PostgreSQL could not start: libraries of its npm package are missing. Install again with "npm ci" (without --ignore-scripts).';
  }
  if (/has (group or world access|wrong ownership|invalid permissions)/u.test(log)) {
    return `PostgreSQL refuses ${folder}: it belongs to another user or is open to others. Run as the user that made it, or: chmod 700 ${folder}`;
  }
  const fatal = [...log.matchAll(/(?:FATAL|PANIC):\s+(.+)/gu)].at(-1)?.[1];
  return fatal === undefined
    ? `PostgreSQL ended while starting. Its log: ${logFile}`
    : `PostgreSQL cannot use its data folder ${folder}: ${fatal}. ${moveAway} Its log: ${logFile}`;
}
