import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The environment of every step: no background daemon, no redrawn screen, no telemetry. */
export const STEP_ENV = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

let stopped = false;

/** Nx asks its tasks for colours unless told otherwise, whoever reads them. */
const COLOUR_ENV = process.stdout.isTTY === true ? {} : { FORCE_COLOR: '0' };

/** After which a step is taken for stuck and ended. The longest takes a few minutes on two cores. */
const STEP_LIMIT_MS = 25 * 60_000;

/**
 * Runs one command in the workspace, its output passed through. Resolves to its exit code, 1 when a signal or the time
 * limit ended it. What the command started ends with it.
 */
export function runStep(title, command, args, env = {}) {
  console.log(`\n=== ${title}`);
  const startedAt = Date.now();
  return new Promise((resolve) => {
    // A group of its own, so that a stuck step can be ended with everything below it.
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...STEP_ENV, ...env },
      detached: true,
    });
    const endGroup = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // Nothing of it is left.
      }
    };
    const pass = (signal) => {
      endGroup(signal);
      process.exitCode = 1;
      stopped = true;
    };
    const limit = setTimeout(() => {
      console.error(`=== ${title}: still running after ${STEP_LIMIT_MS / 60_000} minutes, ended`);
      endGroup('SIGKILL');
    }, STEP_LIMIT_MS);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const finish = (code) => {
      clearTimeout(limit);
      endGroup('SIGTERM');
      process.off('SIGINT', pass).off('SIGTERM', pass);
      if (stopped) process.exit(130);
      resolve(code);
    };
    child.on('error', (error) => {
      console.error(`Cannot run ${command}: ${error.message}`);
      finish(1);
    });
    child.on('exit', (code) => {
      console.log(`=== ${title}: ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
      finish(code ?? 1);
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
