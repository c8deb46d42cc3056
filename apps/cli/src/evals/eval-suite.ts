import type { Terminal } from '../commands/command';

/** One suite of `holdfast eval`: takes a folder and its own options, prints findings and one JSON line last. */
export interface EvalSuite {
  readonly name: string;
  /** Lines of the help: how it is called, and what it measures. */
  readonly usage: string;
  /** Resolves to the exit code; throws CliError for what the user can mend. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
