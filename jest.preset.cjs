'use strict';

const { mkdirSync } = require('node:fs');
const { join } = require('node:path');

const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/**
 * The Jest configuration of one project. Workspace packages resolve to their sources, so no build is needed before a test.
 * `esmPackages` also transforms what lies in node_modules: packages that ship ES modules only (Nest) do not load otherwise.
 */
function jestProject({ name, rootDir, esmPackages = false, ...more }) {
  // Jest writes its report there and does not make the folder.
  mkdirSync(join(rootDir, '.jest'), { recursive: true });
  return {
    displayName: name,
    rootDir,
    testEnvironment: 'node',
    testEnvironmentOptions: { customExportConditions: ['@holdfast/source', 'node', 'require', 'default'] },
    testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
    testPathIgnorePatterns: ['/node_modules/', '/dist/'],
    modulePathIgnorePatterns: ['<rootDir>/dist/'],
    transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', swc] },
    ...(esmPackages ? { transformIgnorePatterns: [] } : {}),
    passWithNoTests: true,
    ...more,
  };
}

module.exports = { jestProject };
