const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'e2e', rootDir: __dirname, esmPackages: true });
