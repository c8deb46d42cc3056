import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor } from './report/style';
import { runCli } from './run-cli';

const SOURCES = [
  '[{"role":"user","content":"\\u0000 \\ud800","d":1.0,"k":1,"k":2} ]',
  '[ {"role":"user","content":"sent \u{1f600}"}]\n',
].map((text) => Buffer.from(text));
const WINDOWS = SOURCES.map((source, at) => ({
  id: `0000000${String(at)}-0000-7000-8000-000000000000`,
  kind: at === 0 ? 'handed_out' : 'accepted',
  version: 1,
  format: 'openai-chat',
  compaction_id: null,
  tokens: null,
  bytes: source.length,
  sha256: createHash('sha256').update(source).digest('hex'),
  created_at: '2026-01-01T00:00:00.000Z',
}));

let server: Server;
let folder: string;
let where: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-restore-'));
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://local');
    const at = WINDOWS.findIndex(({ id }) => url.pathname.endsWith(`/s%2F1/windows/${id}/source`));
    if (at !== -1) return response.end(SOURCES[at]);
    // A page holds one window, so that the list has two pages.
    const page = url.searchParams.get('cursor') === 'second' ? 1 : 0;
    return response.end(JSON.stringify({ items: [WINDOWS[page]], next: page === 0 ? 'second' : null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  where = ['--agent', 'bot', '--session', 's/1', '--url', url, '--key', 'k'];
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

async function holdfast(...args: readonly string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runCli(['restore', ...args], {
    ...{ print, printError: print, style: styleFor({ isTTY: false }, {}), environment: {} },
  });
  return [code, lines.join('\n')];
}

it.each([
  ['handed_out', 0, []],
  ['accepted', 1, ['--kind', 'accepted']],
] as const)('writes the %s window of a version byte for byte', async (kind, at, options) => {
  const out = join(folder, `${kind}.json`);
  const answer = await holdfast(...where, '--version', '1', '--out', out, ...options);
  expect(answer).toEqual([0, expect.stringContaining(kind)]);
  expect(readFileSync(out).equals(SOURCES[at] ?? Buffer.alloc(0))).toBe(true);
});

it('lists the windows that there are', async () => {
  const [code, text] = await holdfast(...where);
  expect(code).toBe(0);
  expect(text).toMatch(/handed_out[^]*accepted/u);
});

it.each<[string, readonly string[], number, string]>([
  ['a version that is not there', ['--version', '7', '--out', 'x.json'], 1, 'no window of version 7'],
  ['a kind that the version lacks', ['--version', '1', '--kind', 'best_proven', '--out', 'x.json'], 1, 'it has'],
  ['a kind that is none', ['--version', '1', '--kind', 'old', '--out', 'x.json'], 2, '--kind takes'],
  ['a version that is no number', ['--version', 'x', '--out', 'x.json'], 2, '--version takes'],
  ['no file', ['--version', '1'], 2, '--out FILE'],
])('%s: says so', async (_, options, exitCode, words) => {
  expect(await holdfast(...where, ...options)).toEqual([exitCode, expect.stringContaining(words)]);
});

it('no session: exit code 2', async () => {
  expect(await holdfast('--agent', 'bot')).toEqual([2, expect.stringContaining('--session')]);
});
