const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'core', rootDir: __dirname });
