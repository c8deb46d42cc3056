import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from '../cli-error';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** Parsed options and positionals of one command; a wrong command line is a CliError with the command's name. */
export function parseCommandLine<T extends Options>(command: string, args: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
    throw new CliError(`${reason}. See "holdfast ${command} --help".`, 2);
  }
}

/** A whole number of an option, at least 1. */
export function positiveInteger(option: string, text: string): number {
  const number = Number(text.replace(/_/gu, ''));
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new CliError(`--${option} takes a whole number of at least 1, not "${text}".`, 2);
  }
  return number;
}

/** A share above 0 and at most 1. */
export function share(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 1)) {
    throw new CliError(`--${option} takes a number above 0 and at most 1, not "${text}".`, 2);
  }
  return number;
}

/** The only positional argument. */
export function onlyArgument(command: string, what: string, positionals: readonly string[]): string {
  const [first, ...rest] = positionals;
  if (first === undefined || rest.length > 0) {
    const found = first === undefined ? 'none was given' : `${positionals.length} were given`;
    throw new CliError(`${command} takes one ${what}, ${found}. See "holdfast ${command} --help".`, 2);
  }
  return first;
}
