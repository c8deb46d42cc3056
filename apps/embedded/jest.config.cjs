const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'embedded', rootDir: __dirname });
