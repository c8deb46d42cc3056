const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'testkit', rootDir: __dirname });
