/** Something that the person at the terminal can mend: the message is all that is printed. */
export class CliError extends Error {
  constructor(
    message: string,
    /** 1: it did not work out; 2: the command line is wrong. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.name = 'CliError';
  }
}
