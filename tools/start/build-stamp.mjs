import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
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
  const outputs = ['embedded', 'api', 'worker', 'migrate', 'cli'].map((app) =>
    join(root, 'apps', app, 'dist', 'main.js'),
  );
  return outputs.every((path) => existsSync(path)) && read(join(root, ...STAMP)) === stamp;
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
