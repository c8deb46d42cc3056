import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the repository: this file lies in apps/e2e/src or apps/e2e/dist. */
const WORKSPACE = join(__dirname, '..', '..', '..');

export function fixture(...path: string[]): string {
  return join(WORKSPACE, 'fixtures', ...path);
}

/** A script of the build. Throws where it is missing. */
export function entryOf(app: 'api' | 'cli' | 'migrate' | 'worker', file = 'main.js'): string {
  const entry = join(WORKSPACE, 'apps', app, 'dist', file);
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run "npm run build" first`);
  return entry;
}

/** How a process ended and what it printed. */
export interface Ended {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a script of the build to its end, in this environment and no other. */
export function runToEnd(
  entry: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ exitCode, output: `${stdout}${stderr}` });
    });
  });
}
