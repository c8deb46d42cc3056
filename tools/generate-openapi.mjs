// node tools/generate-openapi.mjs [--check]: writes docs/openapi.json from the built contracts; with --check it only
// compares and fails where the committed document is not what the contracts say. Builds the contracts first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const require = createRequire(import.meta.url);

execFileSync(process.execPath, [require.resolve('typescript/lib/tsc.js'), '-b', 'libs/contracts'], {
  cwd: root,
  stdio: 'inherit',
});
const { openApiDocument } = require('../libs/contracts/dist/index.js');
const { version } = require('../libs/contracts/package.json');
const options = await prettier.resolveConfig(target);
const text = await prettier.format(JSON.stringify(openApiDocument(version)), { ...options, parser: 'json' });

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('docs/openapi.json is not what the contracts say. Run: node tools/generate-openapi.mjs');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
  console.log(`Wrote docs/openapi.json (${text.length} bytes)`);
}
