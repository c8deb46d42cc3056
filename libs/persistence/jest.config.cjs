const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'persistence', rootDir: __dirname });
