const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'summarizers', rootDir: __dirname });
