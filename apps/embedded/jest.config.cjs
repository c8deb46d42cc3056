const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'embedded', rootDir: __dirname });
