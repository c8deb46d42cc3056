const { jestProject } = require('../jest.preset.cjs');

module.exports = jestProject({ name: 'tools', rootDir: __dirname });
