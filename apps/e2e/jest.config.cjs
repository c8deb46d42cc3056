const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'e2e',
  rootDir: __dirname,
  esmPackages: true,
  // A database and processes start in hooks, on machines that may be busy; the client has deadlines of its own.
  testTimeout: 600_000,
});
