const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'alerting', rootDir: __dirname });
