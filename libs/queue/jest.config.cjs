const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'queue', rootDir: __dirname });
