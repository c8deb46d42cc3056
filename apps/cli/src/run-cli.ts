import { closestWord } from '@holdfast/core';
import { CliError } from './cli-error';
import type { Command, Terminal } from './commands/command';
import { auditCommand } from './commands/audit-command';
import { compactCommand } from './commands/compact-command';
import { contractsCommand } from './commands/contracts-command';
import { evalCommand } from './commands/eval-command';
import { recallCommand } from './commands/recall-command';
import { refusalsCommand } from './commands/refusals-command';
import { restoreCommand } from './commands/restore-command';
import { verifyCommand } from './commands/verify-command';

const COMMANDS: readonly Command[] = [
  compactCommand,
  verifyCommand,
  auditCommand,
  recallCommand,
  restoreCommand,
  refusalsCommand,
  contractsCommand,
  evalCommand,
];

const HELP = `holdfast: compacts the context windows of agents, and proves what it kept.

${COMMANDS.map(({ name, summary }) => `  holdfast ${name.padEnd(9)} ${summary}`).join('\n')}

"holdfast COMMAND --help" tells more. "npm start" runs the whole platform on this machine.`;

/** Runs a command line and resolves to its exit code; what the user can mend is printed to stderr in a sentence. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = args;
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    const asked = COMMANDS.find(({ name }) => name === rest[0]);
    terminal.print(asked?.help ?? HELP);
    return word === undefined ? 2 : 0;
  }
  const command = COMMANDS.find(({ name }) => name === word);
  if (command === undefined) {
    const near = closestWord(word, [...COMMANDS.map(({ name }) => name), 'help']);
    terminal.printError(`Unknown command "${word}".${near === undefined ? '' : ` Did you mean "${near}"?`}`);
    terminal.printError('"holdfast --help" lists the commands.');
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(command.help);
    return 0;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    terminal.printError(error.message);
    return error.exitCode;
  }
}
