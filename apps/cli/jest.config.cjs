const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'cli', rootDir: __dirname });
