const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'worker',
  rootDir: __dirname,
  esmPackages: true,
  globalSetup: '<rootDir>/../../libs/testkit/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/../../libs/testkit/src/jest-global-teardown.ts',
  // Processes and servers start in hooks, on machines that may be busy.
  testTimeout: 300_000,
});
