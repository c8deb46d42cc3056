const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'worker', rootDir: __dirname, esmPackages: true });
