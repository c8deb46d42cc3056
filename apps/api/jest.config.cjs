const { jestProject } = require('../../jest.preset.cjs');

module.exports = jestProject({ name: 'api', rootDir: __dirname, esmPackages: true });
