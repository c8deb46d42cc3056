import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor } from './report/style';
import { runCli } from './run-cli';

const FIXTURES = join(__dirname, '..', '..', '..', 'fixtures');
const AIRLINE = join(FIXTURES, 'transcripts', 'tau-bench-airline.json');
const CONTRACTS = join(FIXTURES, 'contracts', 'tau-bench-airline.json');
const CODING = join(FIXTURES, 'transcripts', 'claude-code-pull-request.jsonl');
const VECTORS = join(FIXTURES, 'conformance', 'safe_compact.json');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function holdfast(...args: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    print: (line) => out.push(line),
    printError: (line) => err.push(line),
    style: styleFor({ isTTY: false }, {}),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('holdfast', () => {
  it('lists its commands when asked for help, and without a command', async () => {
    const asked = await holdfast('--help');
    expect(asked.code).toBe(0);
    for (const name of ['compact', 'verify', 'audit', 'contracts', 'eval'])
      expect(asked.out).toContain(`holdfast ${name}`);
    expect(await holdfast()).toMatchObject({ code: 2 });
  });

  it.each(['compact', 'verify', 'audit', 'contracts', 'eval'])('explains %s', async (name) => {
    const { code, out } = await holdfast(name, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`holdfast ${name}`);
    expect(out).toContain('Exit code');
    expect((await holdfast('help', name)).out).toBe(out);
  });

  it('names the command that was probably meant', async () => {
    expect(await holdfast('compcat', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('"compact"') });
    expect((await holdfast('frobnicate')).err).not.toContain('Did you mean');
  });

  it.each([
    ['an unknown option', ['compact', AIRLINE, '--budgett', '4']],
    ['a budget that is no number', ['compact', AIRLINE, '--budget', 'many']],
    ['a share above 1', ['compact', AIRLINE, '--share', '2']],
    ['budget and share at once', ['compact', AIRLINE, '--share', '0.5', '--budget', '9']],
    ['an unknown recall setting', ['compact', AIRLINE, '--recall', 'maybe']],
    ['an unknown format', ['compact', AIRLINE, '--format', 'xml']],
    ['no file', ['compact']],
    ['verify without windows', ['verify', AIRLINE]],
    ['an unknown suite', ['eval', 'conformence', VECTORS]],
  ])('refuses %s with a sentence', async (_, args) => {
    const { code, out, err } = await holdfast(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/[.?]$/u);
    expect(err).not.toContain('    at ');
  });

  it.each([
    ['a file that is not there', () => join(folder, 'absent.json'), 'there is no such file'],
    ['a folder', () => folder, 'it is a folder'],
    ['bytes that are no UTF-8', () => file('latin1.json', Uint8Array.of(0x22, 0xe9, 0x22)), 'not UTF-8'],
    ['something that is no transcript', () => file('other.json', '{"a": 1}'), 'as a transcript'],
  ])('names the path of %s', async (_, path, reason) => {
    const { code, err } = await holdfast('compact', path());
    expect(code).toBe(1);
    expect(err).toContain(path());
    expect(err).toContain(reason);
  });

  it('names the place of a contract that cannot be used', async () => {
    const contracts = file('contracts.json', '{"search": {"effect": "reads"}}');
    const { code, err } = await holdfast('compact', AIRLINE, '--contracts', contracts);
    expect(code).toBe(1);
    expect(err).toContain(`${contracts}: /search/effect`);
  });
});

describe('holdfast eval conformance', () => {
  it('passes the bundled vectors and closes with one line of JSON', async () => {
    const { code, out } = await holdfast('eval', 'conformance', VECTORS);
    const cases = (JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: unknown[] }).cases.length;
    expect(JSON.parse(out.split('\n').at(-1) ?? '')).toEqual({ suite: 'conformance', passed: cases, failed: 0 });
    expect(code).toBe(0);
  });

  it('fails when a vector does not hold, and names it', async () => {
    const document = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
      cases: { name: string; expect: Record<string, unknown> }[];
    };
    const broken = document.cases.find(({ expect: expected }) => 'ledger' in expected)!;
    broken.expect['ledger'] = [{ action: 'never', target: 'was', idempotency_key: null, status: 'fired' }];
    const { code, out } = await holdfast('eval', 'conformance', file('broken.json', JSON.stringify(document)));
    expect(code).toBe(1);
    expect(out).toContain(`${broken.name}: expected`);
    expect(JSON.parse(out.split('\n').at(-1) ?? '')).toMatchObject({ failed: 1 });
  });

  it('refuses a file without vectors', async () => {
    expect(await holdfast('eval', 'conformance', CONTRACTS)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no vectors'),
    });
  });
});

describe('holdfast compact and verify', () => {
  const receipt = () => join(folder, 'receipt.json');
  const output = () => join(folder, 'output.json');
  let report: Ran;

  beforeAll(async () => {
    const outputs = ['--out', output(), '--receipt', receipt()];
    report = await holdfast('compact', AIRLINE, '--contracts', CONTRACTS, ...outputs);
  });

  it('compacts a customer session to half of its tokens and reports it', () => {
    expect(report.code).toBe(0);
    expect(report.out).toContain('COMPACTED');
    expect(report.out).toMatch(/without the system prompt, -(4[5-9]|[5-9]\d) %/u);
    expect(report.out).toContain('cancel_reservation');
    expect(report.out).toContain('3 failed');
    expect(report.out).toContain('verified offline');
    expect(report.out).not.toContain('\u001b');
  });

  it('hands out a window that its receipt holds for', async () => {
    const { code, out } = await holdfast('verify', receipt(), '--input', AIRLINE, '--output', output());
    expect(out).toContain('The receipt holds');
    expect(code).toBe(0);
  });

  it.each([
    ['the receipt', 'hash', 'receipt', (text: string) => text.replace('"pass": 1', '"pass": 2')],
    ['the window that went in', 'input', 'input', (text: string) => text.replaceAll('K1NW8N', 'K1NW8M')],
    ['the window that came out', 'output', 'output', (text: string) => text.replaceAll('K1NW8N', 'K1NW8M')],
  ])('finds a change of %s', async (_, check, what, change) => {
    const paths = { receipt: receipt(), input: AIRLINE, output: output() };
    const source = readFileSync(paths[what as keyof typeof paths], 'utf8');
    expect(change(source)).not.toBe(source);
    const changed = { ...paths, [what]: file(`changed-${what}.json`, change(source)) };
    const { code, out } = await holdfast(
      'verify',
      changed.receipt,
      '--input',
      changed.input,
      '--output',
      changed.output,
    );
    expect(code).toBe(1);
    expect(out).toContain(`${check}: `);
  });

  it('checks the chain against the receipt given', async () => {
    const windows = ['--input', AIRLINE, '--output', output()];
    const { code, out } = await holdfast('verify', receipt(), ...windows, '--previous', receipt());
    expect(code).toBe(1);
    expect(out).toContain('chain: ');
  });

  it('refuses what is no receipt', async () => {
    const { code, err } = await holdfast('verify', CONTRACTS, '--input', AIRLINE, '--output', output());
    expect(code).toBe(1);
    expect(err).toContain('no receipt');
  });

  it('reads a coding session, says that nothing was declared, and can print the window', async () => {
    const { code, out } = await holdfast('compact', CODING, '--show-window');
    expect(code).toBe(0);
    expect(out).toContain('no tool contract');
    expect(out).toContain('The compacted window');
    expect(out).toContain('sorry. push up and make a pr');
  });

  it('refuses a budget below what must stay, and writes no window', async () => {
    const path = join(folder, 'not-written.json');
    const { code, out } = await holdfast('compact', AIRLINE, '--budget', '10', '--out', path);
    expect(code).toBe(1);
    expect(out).toContain('Refused: BUDGET_UNREACHABLE');
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });

  it('answers with one JSON object', async () => {
    const { out } = await holdfast('compact', AIRLINE, '--contracts', CONTRACTS, '--json');
    const answer = JSON.parse(out) as { outcome: string; effects: { status: string }[]; window: string };
    expect(answer.outcome).toBe('compacted');
    expect(answer.effects.map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
      'failed',
      'failed',
      'succeeded',
    ]);
    expect(JSON.parse(answer.window)).toBeInstanceOf(Array);
  });

  it('shows nothing of a transcript that moves the cursor', async () => {
    const window = [
      { role: 'user', content: 'hello \u001b[2J\u202eworld' },
      { role: 'assistant', content: 'x '.repeat(400) },
      { role: 'user', content: 'go on' },
    ];
    const { out } = await holdfast('compact', file('escape.json', JSON.stringify(window)), '--show-window');
    expect(out).not.toMatch(/[\u001b\u202e]/u);
  });
});
