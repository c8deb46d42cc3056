const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'cli', rootDir: __dirname });
