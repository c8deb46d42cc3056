import type { Style } from '../report/style';

/** The terminal as commands see it. */
export interface Terminal {
  print(line: string): void;
  printError(line: string): void;
  readonly style: Style;
  /** Variables of the environment, for commands that talk to a server. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** One command of the CLI. `run` resolves to the exit code and throws CliError for what the user can mend. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
