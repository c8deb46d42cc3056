const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'tokens', rootDir: __dirname });
