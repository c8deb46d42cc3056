import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor } from './report/style';
import { runCli } from './run-cli';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function holdfast(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    print: (line) => out.push(line),
    printError: (line) => err.push(line),
    style: styleFor({ isTTY: false }, {}),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  return path;
}

const user = (content: string) => ({ role: 'user', content });
const before = () => file('before.json', [[user('Never push to main. Look at W2378156.'), user('Go on.')]]);

it('two windows: what was lost, where it stood, what to do', async () => {
  const after = file('after.json', [[user('Summary: looks at W2378165.'), user('Go on.')]]);
  const { code, out } = await holdfast('audit', before(), after);
  expect(code).toBe(1);
  expect(out).toContain('constraint_lost');
  expect(out).toMatch(/before\s+W2378156/u);
  expect(out).toMatch(/after\s+W2378165/u);
  expect(out).toContain('What to do');
});

it('two windows that say the same: exit code 0', async () => {
  const after = file('same.json', [[user('Never push to main. Looks at W2378156.'), user('Go on.')]]);
  const { code, out } = await holdfast('audit', before(), after);
  expect(out).toContain('nothing was lost');
  expect(code).toBe(0);
});

it('a transcript with its own boundary, as JSON', async () => {
  const path = file('session.jsonl', [
    { type: 'user', uuid: 'u1', sessionId: 's', message: user('Never push to main.') },
    { type: 'system', subtype: 'compact_boundary', uuid: 'u2' },
    { type: 'user', uuid: 'u3', isCompactSummary: true, message: user('We began.') },
  ]);
  const { code, out } = await holdfast('audit', path, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ version: 1, totals: { boundaries: 1, kinds: { constraint_lost: 1 } } });
});

it.each([
  ['a transcript without a compaction', () => [before()], 'records no compaction'],
  ['no file', () => [join(folder, 'none.json')], 'there is no such file'],
  ['three files', () => ['a', 'b', 'c'], 'takes two windows, or one transcript'],
  ['a kind that there is none of', () => [before(), '--format', 'gopher'], 'Unknown kind'],
  ['--later with a transcript', () => [before(), '--later', before()], 'go with two windows'],
  ['text that is no window', () => [before(), file('odd.json', ['x'])], 'Cannot read'],
])('%s: exit code 2', async (_, args, words) => {
  const { code, err } = await holdfast('audit', ...args());
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});
