const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'core', rootDir: __dirname });
