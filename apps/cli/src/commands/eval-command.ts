import { CliError } from '../cli-error';
import { readJsonFile } from '../inputs/text-file';
import { closestWord } from '../closest-word';
import { runConformance } from '../conformance/run-conformance';
import type { Command } from './command';
import { parseCommandLine } from './options';

const SUITES = ['conformance'];

const HELP = `holdfast eval SUITE FILE

Runs a suite of expectations and prints one JSON line last: {"suite":...,"passed":n,"failed":n}.

  conformance FILE   vectors of safeCompact (JSON: {cases: [{name, window, budget, expect}]})

Exit code: 0 all passed, 1 something failed, 2 wrong command line.`;

const FAILURES_SHOWN = 20;

export const evalCommand: Command = {
  name: 'eval',
  summary: 'run a suite of expectations: conformance',
  help: HELP,
  run(args, terminal) {
    const { positionals } = parseCommandLine('eval', args, {});
    const [suite, path, ...rest] = positionals;
    if (suite === undefined || !SUITES.includes(suite)) {
      const near = suite === undefined ? undefined : closestWord(suite, SUITES);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      throw new CliError(`eval takes a suite: ${SUITES.join(', ')}.${hint}`, 2);
    }
    if (path === undefined || rest.length > 0) throw new CliError(`eval ${suite} takes one file.`, 2);
    const result = runConformance(readJsonFile(path), path);
    for (const failure of result.failures.slice(0, FAILURES_SHOWN)) {
      terminal.print(`${failure.name}: ${failure.reason}`);
    }
    const more = result.failures.length - FAILURES_SHOWN;
    if (more > 0) terminal.print(`and ${more} more`);
    terminal.print(JSON.stringify({ suite, passed: result.passed, failed: result.failures.length }));
    return Promise.resolve(result.failures.length > 0 ? 1 : 0);
  },
};
