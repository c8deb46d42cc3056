#!/usr/bin/env node
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const entry = join(__dirname, '..', 'dist', 'index.js');
if (!existsSync(entry)) {
  console.error('holdfast is not built yet: run "npm run build" in the workspace first.');
  process.exit(1);
}
require(entry);
