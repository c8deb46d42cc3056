// node tools/image/assemble.mjs WORKSPACE TARGET_FOLDER
// Copies what one workspace needs at run time: its built files, those of the workspace packages it depends on, and the
// packages from the registry that these depend on. Development dependencies stay behind, also where npm would keep them
// because another workspace needs them.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_AT_RUN_TIME = new Set(['node_modules', 'src', 'test', '.jest', 'jest.config.cjs']);

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** The folder that `require(name)` from `from` would load, found as Node.js finds it: upwards through node_modules. */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === ROOT || folder === dirname(folder)) return undefined;
  }
}

function runtimeDependencies(manifest) {
  const optionalPeers = Object.keys(manifest.peerDependenciesMeta ?? {}).filter(
    (name) => manifest.peerDependenciesMeta[name].optional === true,
  );
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name));
  const optional = Object.keys(manifest.optionalDependencies ?? {});
  const required = [...Object.keys(manifest.dependencies ?? {}), ...peers].filter((name) => !optional.includes(name));
  return { required, optional };
}

/** Every package folder reachable from a workspace, as paths in the source tree (links not followed). */
function reachableFrom(workspaceFolder) {
  const found = new Set();
  const visit = (folder) => {
    const real = realpathSync(folder);
    const { required, optional } = runtimeDependencies(readManifest(real));
    for (const name of [...required, ...optional]) {
      const dependency = findPackage(name, real);
      if (dependency === undefined) {
        if (optional.includes(name)) continue;
        throw new Error(`${name}, needed by ${relative(ROOT, real)}, is not installed: run "npm ci" first.`);
      }
      if (found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  visit(workspaceFolder);
  return [...found].sort();
}

function copyWorkspace(folder, target) {
  if (!existsSync(join(folder, 'dist'))) {
    throw new Error(`${relative(ROOT, folder)} is not built: run "npm run build" first.`);
  }
  for (const name of readdirSync(folder)) {
    if (NOT_AT_RUN_TIME.has(name) || name.startsWith('tsconfig')) continue;
    cpSync(join(folder, name), join(target, relative(ROOT, folder), name), { recursive: true });
  }
}

function copyPackage(folder, target) {
  cpSync(folder, join(target, relative(ROOT, folder)), {
    recursive: true,
    // Packages nested below this one are reached, and copied, on their own.
    filter: (source) => !relative(folder, source).split(sep).includes('node_modules'),
  });
}

function findWorkspace(name) {
  const folder = findPackage(name, ROOT);
  if (folder === undefined) throw new Error(`There is no workspace ${name}.`);
  return folder;
}

/** A package may also lie below the workspace that needs another version of it than the rest. */
function nameOf(folder) {
  return folder.split(`${sep}node_modules${sep}`).at(-1);
}

/** Names of the packages that a workspace needs at run time. */
export function runtimePackages(workspaceName) {
  return reachableFrom(findWorkspace(workspaceName)).map(nameOf);
}

/** Assembles the run-time tree of a workspace, and returns the names of the packages in it. */
export function assemble(workspaceName, target) {
  const start = findWorkspace(workspaceName);
  mkdirSync(join(target, 'node_modules'), { recursive: true });
  copyWorkspace(realpathSync(start), target);
  const dependencies = reachableFrom(start);
  for (const folder of dependencies) {
    if (!lstatSync(folder).isSymbolicLink()) {
      copyPackage(folder, target);
      continue;
    }
    const real = realpathSync(folder);
    copyWorkspace(real, target);
    const link = join(target, relative(ROOT, folder));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(folder), real), link);
  }
  return dependencies.map(nameOf);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [workspaceName, target] = process.argv.slice(2);
  if (workspaceName === undefined || target === undefined) {
    console.error('Usage: node tools/image/assemble.mjs WORKSPACE TARGET_FOLDER');
    process.exit(2);
  }
  const packages = assemble(workspaceName, target);
  console.log(`${workspaceName}: ${packages.length} packages assembled.`);
}
