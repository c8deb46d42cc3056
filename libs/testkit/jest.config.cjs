const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'testkit', rootDir: __dirname });
