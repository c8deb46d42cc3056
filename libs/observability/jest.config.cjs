const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'observability', rootDir: __dirname });
