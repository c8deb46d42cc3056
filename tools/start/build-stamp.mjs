import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', 'generated', '.jest', 'test']);
const STAMP = ['node_modules', '.cache', 'holdfast', 'build-stamp'];

/** Changes whenever a source of the build does: path, size and time of change of each file. */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true) hash.update(`${path.slice(root.length)} ${found.size} ${found.mtimeMs}\n`);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(join(folder, entry.name));
      else if (entry.isFile() && !entry.name.endsWith('.spec.ts')) add(join(folder, entry.name));
    }
  };
  for (const folder of ['apps', 'libs', 'prisma']) walk(join(root, folder));
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'nx.json']) add(join(root, file));
  return hash.digest('hex');
}

/** True when the last build was of these sources and its results are there. */
export function isBuilt(root, stamp) {
  return hasOutputs(root) && read(join(root, ...STAMP)) === stamp;
}

/** True when every process of the platform has been compiled. */
export function hasOutputs(root) {
  const outputs = ['embedded', 'api', 'worker', 'migrate', 'cli'].map((app) =>
    join(root, 'apps', app, 'dist', 'main.js'),
  );
  return outputs.every((path) => existsSync(path));
}

/** Removes what the compiler remembers and made, so that the next build makes everything. */
export function forgetBuild(root) {
  for (const parent of ['apps', 'libs']) {
    for (const name of readdirSync(join(root, parent))) {
      rmSync(join(root, parent, name, 'dist'), { recursive: true, force: true });
    }
  }
}

/** Notes what was built; a folder that cannot be written only means that the next start builds again. */
export function rememberBuild(root, stamp) {
  const path = join(root, ...STAMP);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, stamp);
  } catch {
    // See above.
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
