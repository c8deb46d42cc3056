const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'queue',
  rootDir: __dirname,
  // The embedded server of the integration tests and Nest come as ES modules only.
  esmPackages: true,
});
