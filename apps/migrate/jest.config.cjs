const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'migrate',
  rootDir: __dirname,
  globalSetup: '<rootDir>/../../libs/testkit/src/jest-global-setup.ts',
  globalTeardown: '<rootDir>/../../libs/testkit/src/jest-global-teardown.ts',
});
