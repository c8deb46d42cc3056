import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The environment of every step: no background daemon, no redrawn screen, no telemetry. */
export const STEP_ENV = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

/** Nx asks its tasks for colours unless told otherwise, whoever reads them. */
const COLOUR_ENV = process.stdout.isTTY === true ? {} : { FORCE_COLOR: '0' };

/** Runs one command in the workspace, its output passed through. Resolves to its exit code (1 when a signal ended it). */
export function runStep(title, command, args, env = {}) {
  console.log(`\n=== ${title}`);
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...STEP_ENV, ...env } });
    child.on('error', (error) => {
      console.error(`Cannot run ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => {
      console.log(`=== ${title}: ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
      resolve(code ?? 1);
    });
  });
}

/** Runs Nx targets over the workspace's projects, or over those named. */
export function runTargets(title, targets, { projects = [], parallel = 2, env = {} } = {}) {
  const filter = projects.length > 0 ? ['-p', projects.join(',')] : [];
  return runStep(
    title,
    'npx',
    ['nx', 'run-many', '-t', ...targets, ...filter, `--parallel=${parallel}`, '--output-style=static'],
    { ...COLOUR_ENV, ...env },
  );
}
