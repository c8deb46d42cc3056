import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST_NODE = [20, 19];

/** Says in a sentence why this Node.js cannot run Holdfast, or returns undefined when it can. */
export function nodeObjection(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOldEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isOldEnough ? undefined : `Holdfast needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${version}.`;
}

/** True when node_modules holds what package-lock.json asks for; platform packages that npm left out do not count. */
export function isInstalled(root) {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.peer === true;
    return found.version === entry.version && found.resolved === entry.resolved;
  });
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
