const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'contracts', rootDir: __dirname });
