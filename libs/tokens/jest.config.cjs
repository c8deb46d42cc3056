const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'tokens', rootDir: __dirname });
