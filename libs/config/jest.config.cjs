const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'config', rootDir: __dirname });
