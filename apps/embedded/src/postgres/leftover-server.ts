import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileError, StartError, systemCode } from '../start-error';
import { parsePostmasterPid } from './postmaster-pid';

const STOP_TIMEOUT_MS = 15_000;

/**
 * Ends the server that a killed run left behind over this data folder, and says so; undefined when there is none. A process
 * that only carries the number of one that is gone is left alone. Throws StartError when it cannot be ended.
 */
export async function stopLeftoverServer(dataFolder: string): Promise<string | undefined> {
  const path = join(dataFolder, 'postmaster.pid');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(path, error);
  }
  const found = parsePostmasterPid(text);
  if (found === undefined || !isAlive(found.pid)) return undefined;
  if (!isServerOf(found.pid, dataFolder)) {
    // The server would take the number for its predecessor and refuse to start.
    rmSync(path, { force: true });
    return undefined;
  }
  try {
    process.kill(found.pid, 'SIGINT');
  } catch (error) {
    throw new StartError(
      `PostgreSQL (process ${found.pid}) of an earlier run still uses ${dataFolder}, and this user may not stop it. ` +
        `Stop it as the user that started it: kill -INT ${found.pid}`,
      { cause: error },
    );
  }
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(found.pid)) {
    if (Date.now() > deadline) {
      throw new StartError(
        `PostgreSQL (process ${found.pid}) of an earlier run does not stop. End it (kill -QUIT ${found.pid}) and start again.`,
      );
    }
    await delay(40);
  }
  return `stopped the server that an earlier run had left behind (process ${found.pid})`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** A dead child that nobody has collected yet (in a container without an init) still answers signals. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** True when the process is a PostgreSQL server over this folder, by its command line. */
function isServerOf(pid: number, dataFolder: string): boolean {
  try {
    const command = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(dataFolder);
  } catch {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return (words[0] ?? '').includes('postgres') && words.includes(dataFolder);
    } catch {
      // Neither ps nor /proc: better to ask the server to stop twice than to run two over one folder.
      return true;
    }
  }
}
