import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from './start-error';

export interface StartOptions {
  /** Stop everything after the report. */
  readonly once: boolean;
  /** The user's own transcript instead of the bundled ones; an absolute path. */
  readonly file: string | undefined;
  readonly format: string | undefined;
  readonly budgetTokens: number | undefined;
  /** Port of the API; undefined: the usual one, or the next that is free. */
  readonly port: number | undefined;
  /** Absolute path; undefined: the usual folder. */
  readonly dataFolder: string | undefined;
  readonly verbose: boolean;
  readonly showWindow: boolean;
}

export const HELP = `npm start -- [options]

Runs Holdfast on this machine: PostgreSQL, API and worker. Compacts two bundled transcripts, reports what
happened, and goes on serving until Ctrl-C.

  --file PATH      compact your own transcript instead (Claude Code, Codex, pi, OpenHands, ... or messages)
  --format NAME    its format or kind, when the text does not tell; an unknown name lists them all
  --budget N       hard limit of the compacted window in tokens, system prompt included
                   (default: half of the window without its system prompt)
  --show-window    print the compacted windows, too
  --once           stop everything after the report; exit code 0 when all went well, else 1
  --port N         port of the API (default 3001, or the next that is free)
  --data DIR       folder of the database, keys and logs (default .holdfast)
  --verbose        print every log line, and stack traces of errors
  --help           this text`;

const OPTIONS = {
  once: { type: 'boolean' },
  file: { type: 'string' },
  format: { type: 'string' },
  budget: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  verbose: { type: 'boolean' },
  'show-window': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const MAX_PORT = 65_535;

/**
 * Reads the command line; undefined when help was asked for. Paths are relative to `folder`, where the user stands.
 * Throws StartError.
 */
export function parseStartOptions(args: readonly string[], folder: string): StartOptions | undefined {
  const { values } = parse(args);
  if (values.help === true) return undefined;
  return {
    once: values.once ?? false,
    file: values.file === undefined ? undefined : resolve(folder, values.file),
    format: values.format,
    budgetTokens: integer('budget', values.budget, 1, Number.MAX_SAFE_INTEGER),
    port: integer('port', values.port, 1, MAX_PORT),
    dataFolder: values.data === undefined ? undefined : resolve(folder, values.data),
    verbose: values.verbose ?? false,
    showWindow: values['show-window'] ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false, strict: true });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw new StartError(`${reason}. "npm start -- --help" lists the options.`, { cause: error });
  }
}

function integer(option: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9_]+$/u.test(text) ? Number(text.replace(/_/gu, '')) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`;
  throw new StartError(`--${option} takes a whole number from ${min}${upTo}, not "${text}".`);
}
