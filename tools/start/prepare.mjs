import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '../workspace/installation.mjs';
import { ROOT } from '../workspace/steps.mjs';
import { forgetBuild, hasOutputs, isBuilt, rememberBuild, sourceStamp } from './build-stamp.mjs';
import { runQuietly } from './run-quietly.mjs';

const ENTRY = join(ROOT, 'apps', 'embedded', 'dist', 'main.js');
/** What the platform needs on this machine; the build of each brings what it depends on. */
const PROJECTS = ['embedded', 'api', 'worker', 'migrate', 'cli'];

/**
 * Installs and builds what is missing or older than its sources. Resolves to the entry of the supervisor, or to undefined
 * when that failed; then it has said why.
 */
export async function prepare(args) {
  if (process.platform === 'win32') {
    console.log('Holdfast is tested on Linux; on Windows it is best run in WSL.');
  }
  const verbose = args.includes('--verbose');
  if (!isInstalled(ROOT)) {
    const reason = existsSync(join(ROOT, 'node_modules')) ? 'what is installed differs from the lock' : 'first run';
    const code = await runQuietly(`install  packages by the lock (npm ci; ${reason})`, 'npm', ['ci'], verbose);
    if (code !== 0) return failed('The packages could not be installed.', 'npm ci');
  }
  const stamp = sourceStamp(ROOT);
  if (!isBuilt(ROOT, stamp)) {
    let code = await build(verbose);
    if (code === 0 && !hasOutputs(ROOT)) {
      // Sources that are older than the last build (unpacked, copied) look compiled to the compiler.
      forgetBuild(ROOT);
      code = await build(verbose);
    }
    if (code !== 0) return failed('The build failed.', 'npm run build');
    rememberBuild(ROOT, stamp);
  }
  if (!existsSync(ENTRY) || !statSync(ENTRY).isFile()) return failed(`${ENTRY} is missing.`, 'npm run build');
  return ENTRY;
}

function build(verbose) {
  const targets = ['run-many', '-t', 'build', '-p', PROJECTS.join(','), '--parallel=2', '--output-style=static'];
  return runQuietly('build    the platform', 'npx', ['--no-install', 'nx', ...targets], verbose);
}

function failed(what, repeat) {
  console.error(`\nHoldfast cannot start. ${what} The messages above say why; "${repeat}" repeats that step alone.`);
  return undefined;
}
