#!/usr/bin/env node
'use strict';

const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`holdfast needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const entry = join(__dirname, '..', 'dist', 'main.js');
if (!existsSync(entry)) build();
require(entry);

/** In the workspace the first call builds the command; its output goes to stderr, so that stdout stays the command's own. */
function build() {
  const root = join(__dirname, '..', '..', '..');
  if (!existsSync(join(root, 'node_modules', 'nx', 'package.json'))) {
    console.error('holdfast is not built: run "npm ci" and "npm run build" in the workspace first.');
    process.exit(1);
  }
  console.error('holdfast is not built yet: building it once.');
  const { status } = spawnSync('npx', ['--no-install', 'nx', 'run', 'cli:build', '--output-style=static'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
    shell: process.platform === 'win32',
  });
  if (status !== 0 || !existsSync(entry)) {
    console.error('holdfast could not be built: see above; "npm run build" repeats it.');
    process.exit(1);
  }
}
