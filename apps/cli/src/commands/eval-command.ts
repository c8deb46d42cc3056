import { CliError } from '../cli-error';
import { readJsonFile } from '../inputs/text-file';
import { closestWord } from '@holdfast/core';
import { runConformance } from '../conformance/run-conformance';
import { EVAL_SUITES } from '../evals';
import type { Command, Terminal } from './command';
import { parseCommandLine } from './options';

const SUITES = ['conformance', ...EVAL_SUITES.map(({ name }) => name)];

const HELP = `holdfast eval SUITE PATH [options]

Runs a suite and prints one JSON line last, with the keys "suite", "passed", "failed" and the suite's figures.

  conformance FILE   vectors of safeCompact (JSON: {cases: [{name, window, budget, expect}]})
${EVAL_SUITES.map(({ usage }) => `  ${usage}`).join('\n')}

  --explain CASE     (suites that take a folder) run the cases whose name contains CASE, and print why

Exit code: 0 all passed, 1 something failed, 2 wrong command line.`;

const FAILURES_SHOWN = 20;

export const evalCommand: Command = {
  name: 'eval',
  summary: `run a suite of expectations: ${SUITES.join(', ')}`,
  help: HELP,
  async run(args, terminal) {
    const [suite, ...rest] = args;
    if (suite === undefined || !SUITES.includes(suite)) {
      const near = suite === undefined ? undefined : closestWord(suite, SUITES);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      throw new CliError(`eval takes a suite: ${SUITES.join(', ')}.${hint}`, 2);
    }
    const found = EVAL_SUITES.find(({ name }) => name === suite);
    return found === undefined ? evalConformance(rest, terminal) : found.run(rest, terminal);
  },
};

function evalConformance(args: readonly string[], terminal: Terminal): number {
  const { positionals } = parseCommandLine('eval', args, {});
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new CliError('eval conformance takes one file.', 2);
  const result = runConformance(readJsonFile(path), path);
  for (const failure of result.failures.slice(0, FAILURES_SHOWN)) {
    terminal.print(`${failure.name}: ${failure.reason}`);
  }
  const more = result.failures.length - FAILURES_SHOWN;
  if (more > 0) terminal.print(`and ${more} more`);
  terminal.print(JSON.stringify({ suite: 'conformance', passed: result.passed, failed: result.failures.length }));
  return result.failures.length > 0 ? 1 : 0;
}
