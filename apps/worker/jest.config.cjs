const { jestProject } = require('../../tools/jest/preset.cjs');

module.exports = jestProject({ name: 'worker', rootDir: __dirname, esmPackages: true });
