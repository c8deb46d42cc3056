// Fails when source files import each other in a circle. Type-only imports count too: a circle of types is a circle of ideas.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from './workspace/steps.mjs';

const SOURCE = /\.ts$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'generated']);

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(file), name))
    .map((base) => [`${base}.ts`, join(base, 'index.ts'), base].find(isFile))
    .filter((target) => target !== undefined);
}

function findCycles(graph) {
  const cycles = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    const start = path.indexOf(file);
    if (start >= 0) return void cycles.push([...path.slice(start), file]);
    if (done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

const files = ['apps', 'libs'].flatMap((folder) => sourceFiles(join(ROOT, folder)));
const cycles = findCycles(new Map(files.map((file) => [file, importsOf(file)])));
for (const cycle of cycles) {
  console.error(`Import cycle:\n  ${cycle.map((file) => relative(ROOT, file)).join('\n  -> ')}`);
}
if (cycles.length > 0) {
  console.error('Move what both sides need into a third file.');
  process.exit(1);
}
console.log(`${files.length} source files, no import cycle.`);
