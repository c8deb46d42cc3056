import { type RecalledText, recalledTextSchema, type RecallMatches, recallMatchesSchema } from '@holdfast/contracts';
import { callApi } from '../api/call-api';
import { CliError } from '../cli-error';
import type { Command } from './command';
import { onlyArgument, parseCommandLine } from './options';

const HELP = `holdfast recall HANDLE --agent NAME --session ID [--lines A-B | --bytes A-B | --query TEXT] [--json]

Reads back what left a window, from a running API: the original bytes, digest checked, or a part of them. HANDLE is what
a mark shows: [recall h_...].

  --agent NAME      agent that the window belongs to
  --session ID      its session; a handle means something in its own session only
  --lines A-B       lines A to B, counted from 1
  --bytes A-B       bytes A to B, counted from 0, shortened to whole characters
  --query TEXT      the lines that hold TEXT, with their numbers
  --json            the answer of the API as one JSON object
  --url URL         where the API is; default: HOLDFAST_URL, else http://127.0.0.1:3001
  --key KEY         API key with the scope recall:read; default: HOLDFAST_API_KEY

Exit code: 0 found, 1 the API says no or cannot be reached, or no line holds the text, 2 wrong command line.`;

const OPTIONS = {
  agent: { type: 'string' },
  session: { type: 'string' },
  lines: { type: 'string' },
  bytes: { type: 'string' },
  query: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const;

export const recallCommand: Command = {
  name: 'recall',
  summary: 'read back what left a window, from a running API',
  help: HELP,
  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('recall', args, OPTIONS);
    const handle = handleOf(onlyArgument('recall', 'handle', positionals));
    const { agent, session, lines, bytes, query } = values;
    if (agent === undefined || session === undefined) {
      throw new CliError('recall needs --agent and --session: a handle means something in its own session only.', 2);
    }
    const parts = { lines, bytes, query };
    if (Object.values(parts).filter((part) => part !== undefined).length > 1) {
      throw new CliError('--lines, --bytes and --query go one at a time.', 2);
    }
    for (const [option, range] of [
      ['lines', lines],
      ['bytes', bytes],
    ] as const) {
      if (range !== undefined && !/^\d{1,9}-\d{1,9}$/u.test(range)) {
        throw new CliError(`--${option} takes two numbers, as 10-25, not "${range}".`, 2);
      }
    }
    const answer = await callApi(terminal.environment ?? {}, values, `/v1/recall/${handle}`, {
      agent,
      session,
      ...parts,
    });
    if (values.json === true) {
      terminal.print(JSON.stringify(answer));
      return 0;
    }
    if (query !== undefined) return printMatches(recallMatchesSchema.parse(answer), terminal.print);
    printText(recalledTextSchema.parse(answer), terminal.print);
    return 0;
  },
};

/** A handle, or the mark that shows it. */
function handleOf(word: string): string {
  const handle = /^(?:\[?(?:recall )?)?(h_[0-9a-z]{6,32})\]?$/u.exec(word.trim())?.[1];
  if (handle !== undefined) return handle;
  throw new CliError(`"${word}" is no handle; a window shows one in [recall h_...].`, 2);
}

function printText({ text }: RecalledText, print: (line: string) => void): void {
  // The terminal ends every print with a line end of its own.
  print(text.replace(/\r?\n$/u, ''));
}

function printMatches({ matches, total_lines: total, more }: RecallMatches, print: (line: string) => void): number {
  for (const { line, text } of matches) print(`${line}: ${text}`);
  if (matches.length === 0) print(`None of ${total} lines holds the text.`);
  if (more) print(`More lines hold it; these are the first ${matches.length}.`);
  return matches.length === 0 ? 1 : 0;
}
