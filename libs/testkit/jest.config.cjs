const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'testkit',
  rootDir: __dirname,
  // Servers start in hooks, on machines that may be busy.
  testTimeout: 60_000,
});
