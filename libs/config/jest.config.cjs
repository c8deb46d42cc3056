const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'config', rootDir: __dirname });
