// `npm test`: installs when needed, builds, checks and tests the whole workspace, and closes with "N passed, N failed".
// `npm test -- core queue` keeps to those projects.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, nodeObjection } from './workspace/installation.mjs';
import { addUpReports, clearReports } from './workspace/jest-reports.mjs';
import { ROOT, runStep, runTargets } from './workspace/steps.mjs';

const projects = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const isCi = process.env['CI'] === 'true';
const failedChecks = [];

async function check(title, run, advice) {
  if ((await run(title)) === 0) return true;
  failedChecks.push(advice === undefined ? title : `${title}: ${advice}`);
  return false;
}

function close() {
  const sum = addUpReports();
  const failed = sum.failed + failedChecks.length;
  if (failed > 0) {
    console.log('\nFailed:');
    for (const failure of [...failedChecks, ...sum.failures]) console.log(`  - ${failure}`);
  }
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
  console.log(`\n${sum.passed} passed, ${failed} failed${skipped}`);
  process.exit(failed > 0 ? 1 : 0);
}

function hasRedis() {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

const objection = nodeObjection();
if (objection !== undefined) {
  console.error(objection);
  process.exit(1);
}
clearReports();

console.log('Holdfast: install if needed, build, check types, lint and format, then run every test.');
if (!isInstalled(ROOT)) {
  const isReady = await check(
    'Install (npm ci)',
    (title) => runStep(title, 'npm', ['ci']),
    'see the messages of npm above',
  );
  if (!isReady) close();
}

const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
const isGenerated = await check(
  'Generate',
  (title) => runTargets(title, ['generate']),
  'repeat with `npm run generate`',
);
const isBuilt =
  isGenerated &&
  (await check(
    'Build',
    (title) => runStep(title, 'npx', ['tsc', '-b', 'tsconfig.build.json']),
    'no test ran. Mend what the compiler says above; `npm run build` repeats this step alone',
  ));
if (!isBuilt) close();

await check('Types of the tests', (title) => runStep(title, 'npx', ['tsc', '-b']), 'repeat with `npm run typecheck`');
const linted = projects.length === 0 ? ['.'] : projects.flatMap((name) => [`apps/${name}`, `libs/${name}`, name]);
await check(
  'Lint',
  (title) => runStep(title, 'npx', ['eslint', '--max-warnings', '0', '--no-error-on-unmatched-pattern', ...linted]),
  'repeat with `npm run lint`',
);
if (projects.length === 0) {
  await check(
    'Format',
    (title) => runStep(title, 'npx', ['prettier', '--check', '--log-level=warn', '.']),
    'fix with `npm run format`',
  );
  await check('No import cycles', (title) => runStep(title, 'node', ['tools/check-cycles.mjs']));
  await check('The core installs and runs alone', (title) => runStep(title, 'node', ['tools/check-core-package.mjs']));
  if (scripts['check:generated'] !== undefined) {
    await check('Generated files are current', (title) =>
      runStep(title, 'npm', ['run', '--silent', 'check:generated']),
    );
  }
}

// In CI nothing is skipped for want of a program: a missing Redis fails its tests.
const env = isCi ? { HOLDFAST_REQUIRE_REDIS: '1' } : {};
if (!isCi && !hasRedis()) console.log('\nNo redis-server on this machine: the tests on Redis are skipped.');
const unitCode = await runTargets('Unit and property tests', ['test'], { projects, env });
const integrationCode = await runTargets('Integration and end-to-end tests', ['test-int'], {
  projects,
  parallel: 1,
  env,
});

// A run that broke without reporting a failed test (a crash, an open handle, a configuration error) still fails.
if (unitCode + integrationCode !== 0 && addUpReports().failed === 0) {
  failedChecks.push('A test run ended with an error though no test failed: see above');
}
close();
