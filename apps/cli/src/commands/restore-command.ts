import { createHash } from 'node:crypto';
import { windowPageSchema, type WindowResponse } from '@holdfast/contracts';
import { callApi, callApiForBytes, type ApiAccess } from '../api/call-api';
import { CliError } from '../cli-error';
import { writeTextFile } from '../inputs/text-file';
import { textTable } from '../report/text-table';
import type { Command, Terminal } from './command';
import { parseCommandLine } from './options';

const HELP = `holdfast restore --agent NAME --session ID [--version N [--kind KIND] --out FILE]

Writes a window of a session to a file, byte for byte as it was sent or handed out, from a running API. Without
--version it lists the windows that there are. The session itself stays as it is.

  --agent NAME      agent that the session belongs to
  --session ID      the session
  --version N       version of the window
  --kind KIND       accepted, handed_out or best_proven; default: the one that the version has, handed_out before others
  --out FILE        where to write it
  --json            the answer as one JSON object
  --url URL         where the API is; default: HOLDFAST_URL, else http://127.0.0.1:3001
  --key KEY         API key with the scope sessions:read; default: HOLDFAST_API_KEY

Exit code: 0 done, 1 no such window, or the API says no or cannot be reached, 2 wrong command line.`;

const OPTIONS = {
  agent: { type: 'string' },
  session: { type: 'string' },
  version: { type: 'string' },
  kind: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const;

type Kind = WindowResponse['kind'];
/** Which window a version means where it has several. */
const KINDS: readonly Kind[] = ['handed_out', 'accepted', 'best_proven'];

const COLUMNS = [
  { title: 'version', align: 'right' },
  { title: 'kind', align: 'left' },
  { title: 'format', align: 'left' },
  { title: 'tokens', align: 'right' },
  { title: 'bytes', align: 'right' },
  { title: 'at', align: 'left' },
] as const;

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'write a window of a session as it was, from a running API',
  help: HELP,
  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('restore', args, OPTIONS);
    const { agent, session, version, kind, out } = values;
    if (positionals.length > 0) throw new CliError('restore takes options only: the file is named by --out.', 2);
    if (agent === undefined || session === undefined) throw new CliError('restore needs --agent and --session.', 2);
    if (version !== undefined && !/^\d{1,15}$/u.test(version)) {
      throw new CliError(`--version takes a whole number, not "${version}".`, 2);
    }
    if (kind !== undefined && !KINDS.some((known) => known === kind)) {
      throw new CliError(`--kind takes ${KINDS.join(', ')}, not "${kind}".`, 2);
    }
    if (version !== undefined && out === undefined) throw new CliError('restore --version needs --out FILE.', 2);
    const path = `/v1/agents/${encodeURIComponent(agent)}/sessions/${encodeURIComponent(session)}/windows`;
    const windows = await listWindows(terminal, values, path);
    if (version === undefined || out === undefined) return printWindows(windows, terminal, values.json === true);
    const window = pick(windows, Number(version), kind);
    const bytes = await callApiForBytes(terminal.environment ?? {}, values, `${path}/${window.id}/source`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== window.sha256) throw new CliError(`The bytes that came are not those of window ${window.id}.`);
    writeTextFile(out, bytes);
    terminal.print(
      values.json === true
        ? JSON.stringify({ ...window, out })
        : `Version ${window.version} (${window.kind}, ${window.format}, ${window.bytes} bytes) is in ${out}.`,
    );
    return 0;
  },
};

/** Every window of the session, newest first. */
async function listWindows(terminal: Terminal, access: ApiAccess, path: string): Promise<readonly WindowResponse[]> {
  const windows: WindowResponse[] = [];
  let cursor: string | undefined;
  do {
    const page = windowPageSchema.parse(await callApi(terminal.environment ?? {}, access, path, { cursor }));
    windows.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return windows;
}

function pick(windows: readonly WindowResponse[], version: number, kind: string | undefined): WindowResponse {
  const ofVersion = windows.filter((window) => window.version === version);
  const kinds = kind === undefined ? KINDS : KINDS.filter((known) => known === kind);
  const [found] = kinds.flatMap((one) => ofVersion.filter((window) => window.kind === one));
  if (found !== undefined) return found;
  const there = ofVersion.map((window) => window.kind).join(', ');
  const has = there === '' ? 'restore without --version lists those that there are' : `it has ${there}`;
  throw new CliError(`The session has no ${kind ?? 'window of'} version ${version}: ${has}.`);
}

function printWindows(windows: readonly WindowResponse[], terminal: Terminal, asJson: boolean): number {
  if (asJson) {
    terminal.print(JSON.stringify({ windows }));
    return 0;
  }
  const rows = windows.map(({ version, kind, format, tokens, bytes, created_at }) => [
    String(version),
    kind,
    format,
    tokens === null ? '' : String(tokens),
    String(bytes),
    created_at,
  ]);
  for (const line of textTable(COLUMNS, rows)) terminal.print(line);
  return 0;
}
