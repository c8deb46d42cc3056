const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'persistence',
  rootDir: __dirname,
  globalSetup: '<rootDir>/../testkit/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/../testkit/src/jest-global-teardown.ts',
  // Servers start in hooks, on machines that may be busy.
  testTimeout: 60_000,
});
