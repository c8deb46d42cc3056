// node tools/check-generated.mjs: whether every generated file that is committed is what its generator makes of the build
// now. Runs each tools/generate-*.mjs with --check; a failure names the command that renews the file.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOOLS = fileURLToPath(new URL('.', import.meta.url));

for (const name of readdirSync(TOOLS).sort()) {
  if (!/^generate-.*\.mjs$/.test(name)) continue;
  const { status } = spawnSync(process.execPath, [join(TOOLS, name), '--check'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
