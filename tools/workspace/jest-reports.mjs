import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.mjs';

const REPORTS = ['.jest/unit.json', '.jest/int.json'];

/** Folders of the projects that have tests, relative to the workspace. */
export function testedProjects() {
  const folders = ['apps', 'libs'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  return [...folders, 'tools'].filter((folder) => existsSync(join(ROOT, folder, 'jest.config.cjs')));
}

/** Removes the reports of earlier runs, so that a report that is there was written (or restored from cache) by this run. */
export function clearReports() {
  for (const folder of testedProjects()) rmSync(join(ROOT, folder, '.jest'), { recursive: true, force: true });
}

/** Adds up the Jest reports of all projects. A test file that did not even load counts as one failed test. */
export function addUpReports() {
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const folder of testedProjects()) {
    for (const path of REPORTS.map((report) => join(ROOT, folder, report)).filter((path) => existsSync(path))) {
      const report = JSON.parse(readFileSync(path, 'utf8'));
      sum.passed += report.numPassedTests;
      sum.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
      sum.skipped += report.numPendingTests + report.numTodoTests;
      sum.failures.push(...failuresOf(report, folder));
    }
  }
  return sum;
}

function failuresOf(report, folder) {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map((test) => `${folder}: ${test.fullName}`);
    return file.status === 'failed' ? [`${folder}: ${file.name.slice(ROOT.length)} did not load`] : [];
  });
}
