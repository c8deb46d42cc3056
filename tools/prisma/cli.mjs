#!/usr/bin/env node
// Runs Prisma's own CLI without its downloads and reports: `node tools/prisma/cli.mjs generate`, `... migrate diff ...`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(new URL('../../libs/persistence/package.json', import.meta.url));
const cli = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js');

const { status, error } = spawnSync(process.execPath, [cli, ...process.argv.slice(2)], {
  cwd: join(here, '..', '..'),
  stdio: 'inherit',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: join(here, 'schema-engine.mjs'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (error) throw error;
process.exitCode = status ?? 1;
