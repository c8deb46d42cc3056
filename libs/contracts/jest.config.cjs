const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'contracts', rootDir: __dirname });
