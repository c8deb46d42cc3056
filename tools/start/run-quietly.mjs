import { spawn } from 'node:child_process';
import { ROOT, STEP_ENV } from '../workspace/steps.mjs';

const TICK_MS = 1_000;

/**
 * Runs one command in the workspace with a line of progress instead of its output, which is shown when it fails (or at
 * once, when `verbose`). Resolves to its exit code.
 */
export function runQuietly(title, command, args, verbose) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
  const isTerminal = process.stdout.isTTY === true && !verbose;
  process.stdout.write(isTerminal ? title : `${title} ...\n`);
  const ticker = isTerminal
    ? setInterval(() => process.stdout.write(`\r${title} ... ${seconds()}`), TICK_MS)
    : undefined;
  return new Promise((resolve) => {
    let output = '';
    let isSettled = false;
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: verbose ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...STEP_ENV },
      // npm is a script of the shell on Windows.
      shell: process.platform === 'win32',
    });
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const settle = (code, reason) => {
      if (isSettled) return;
      isSettled = true;
      clearInterval(ticker);
      process.stdout.write(`${isTerminal ? '\r' : ''}${title} ${code === 0 ? 'done' : 'FAILED'} (${seconds()})\n`);
      if (code !== 0) process.stderr.write(`${output}${reason}\n`);
      resolve(code);
    };
    child.on('error', (error) => settle(1, `Cannot run ${command}: ${error.message}`));
    child.on('close', (code) => settle(code ?? 1, ''));
  });
}
