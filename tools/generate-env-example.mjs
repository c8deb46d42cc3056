// node tools/generate-env-example.mjs [--check]: writes docs/env.example from the built libs/config, or says whether the
// committed one is still the same.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const PATH = fileURLToPath(new URL('../docs/env.example', import.meta.url));
const { renderEnvExample } = createRequire(import.meta.url)('@holdfast/config');

function committed() {
  try {
    return readFileSync(PATH, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const text = renderEnvExample();
if (!process.argv.includes('--check')) {
  mkdirSync(dirname(PATH), { recursive: true });
  writeFileSync(PATH, text);
} else if (committed() !== text) {
  console.error('docs/env.example is not what libs/config says. Run: node tools/generate-env-example.mjs');
  process.exitCode = 1;
}
