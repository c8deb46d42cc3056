// Packs @holdfast/core, installs the tarball alone in an empty folder, and uses it from an ES module and from CommonJS.
// Fails when the package depends on anything or when its files load anything but each other. Needs a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { useCore } from './core-package-use.mjs';
import { ROOT } from './workspace/steps.mjs';

const PACKAGE = '@holdfast/core';
const CORE = join(ROOT, 'libs/core');

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function checkManifest(manifest) {
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies']) {
    if (Object.keys(manifest[field] ?? {}).length > 0) fail(`${PACKAGE} has ${field}; it must have none.`);
  }
}

function checkLoads(folder) {
  for (const file of filesBelow(folder).filter((path) => /\.(js|d\.ts)$/.test(path))) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
      if (!fileName.startsWith('.'))
        fail(`${file.slice(folder.length + 1)} loads "${fileName}"; the core loads its own files only.`);
    }
  }
}

function run(folder, command, args) {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

if (!existsSync(join(CORE, 'dist/index.js'))) {
  console.error('libs/core is not built: run "npm run build" first.');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-core-'));
try {
  const [packed] = JSON.parse(run(folder, 'npm', ['pack', CORE, '--json', '--pack-destination', folder]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  run(folder, 'npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed.filename}`]);

  const installed = join(folder, 'node_modules', PACKAGE);
  const others = readdirSync(join(folder, 'node_modules')).filter(
    (name) => !name.startsWith('.') && name !== '@holdfast',
  );
  if (others.length > 0) fail(`Installing ${PACKAGE} also installed ${others.join(', ')}.`);
  checkManifest(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  checkLoads(join(installed, 'dist'));

  const call = `(${useCore})(core, testing).catch((error) => { console.error(error); process.exit(1); });\n`;
  const imports = `import * as core from '${PACKAGE}';\nimport * as testing from '${PACKAGE}/testing';\n`;
  const requires = `const core = require('${PACKAGE}');\nconst testing = require('${PACKAGE}/testing');\n`;
  writeFileSync(join(folder, 'use.mjs'), imports + call);
  writeFileSync(join(folder, 'use.cjs'), requires + call);
  const fromModule = run(folder, process.execPath, ['use.mjs']);
  const fromCommonJs = run(folder, process.execPath, ['use.cjs']);
  if (fromModule !== fromCommonJs)
    fail(`The package answers differently to import and to require:\n${fromModule}\n${fromCommonJs}`);
  if (process.exitCode === undefined) {
    console.log(
      `${packed.filename}: ${packed.entryCount} files, ${Math.ceil(packed.size / 1024)} KiB, no dependency; import and require agree:`,
    );
    console.log(fromModule.trim());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
