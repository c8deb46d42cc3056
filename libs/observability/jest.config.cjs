const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'observability', rootDir: __dirname });
