const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'api',
  rootDir: __dirname,
  esmPackages: true,
  globalSetup: '<rootDir>/../../libs/testkit/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/../../libs/testkit/src/jest-global-teardown.ts',
  // Servers start in hooks, on machines that may be busy.
  testTimeout: 60_000,
});
