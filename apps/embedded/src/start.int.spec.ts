import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const MAIN = join(ROOT, 'apps', 'embedded', 'dist', 'main.js');
const START_MS = 120_000;

let folder: string;
let dataFolder: string;
const runs: Run[] = [];

/** A run of the supervisor with what it prints. */
class Run {
  readonly child: ChildProcess;
  private text = '';
  private onChange = (): void => undefined;
  private readonly closed: Promise<void>;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [MAIN, '--data', dataFolder, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.text += chunk.toString('utf8');
        this.onChange();
      });
    }
    this.closed = once(this.child, 'close').then(() => this.onChange());
    runs.push(this);
  }

  get printed(): string {
    return this.text;
  }

  /** Resolves when it has printed these words; rejects when it ends before. */
  async until(words: string): Promise<void> {
    while (!this.text.includes(words)) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(this.text);
      await new Promise<void>((resolve) => (this.onChange = resolve));
    }
  }

  async exit(): Promise<number | null> {
    await this.closed;
    return this.child.exitCode;
  }

  /** Ids of the processes that it started. */
  children(): number[] {
    const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
    return table
      .split('\n')
      .map((line) => line.trim().split(/\s+/u).map(Number))
      .filter(([, parent]) => parent === this.child.pid)
      .map(([pid]) => pid!);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // In a container without an init, a dead orphan stays in the table.
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
  // Under root the database runs as another user, who has to get in.
  chmodSync(folder, 0o755);
  dataFolder = join(folder, 'data');
});

afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGINT');
    await run.exit();
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start', () => {
  it.each(['on a new folder', 'on the same folder again'])(
    'compacts the bundled transcripts and stops everything with --once, %s',
    async () => {
      const run = new Run('--once');
      expect([await run.exit(), run.printed]).toEqual([0, expect.stringContaining('COMPACTED')]);
      expect(run.printed.match(/COMPACTED/gu)).toHaveLength(2);
      expect(run.printed.match(/verified offline/gu)).toHaveLength(2);
      expect(run.printed).toContain('cancel_reservation');
      expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
      expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
    },
    START_MS,
  );

  it(
    'serves until Ctrl-C, which leaves no process; meanwhile a second start is told',
    async () => {
      const run = new Run();
      await run.until('Ctrl-C stops everything');
      const key = /^ {2}key +(\S+)$/mu.exec(run.printed)?.[1];
      const url = /^ {2}API +(\S+)$/mu.exec(run.printed)?.[1] ?? '';
      const answer = await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();

      const second = new Run('--once');
      expect(await second.exit()).toBe(1);
      expect(second.printed).toContain('runs already in this folder');

      const children = run.children();
      expect(children.length).toBeGreaterThanOrEqual(3);
      run.child.kill('SIGINT');
      expect(await run.exit()).toBe(0);
      expect(children.filter(isAlive)).toEqual([]);
    },
    START_MS,
  );

  it(
    'runs beside another one that starts at the same moment in another folder',
    async () => {
      const runs = [new Run('--once'), new Run('--once', '--data', `${dataFolder}-beside`)];
      for (const run of runs) {
        expect([await run.exit(), run.printed]).toEqual([0, expect.stringContaining('verified offline')]);
      }
    },
    START_MS,
  );

  it(
    'starts a killed worker again, and goes on where a killed supervisor left off',
    async () => {
      const run = new Run();
      await run.until('Ctrl-C stops everything');
      const worker = run.children().find((pid) => {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join('worker', 'dist', 'main.js'));
      });
      process.kill(worker!, 'SIGKILL');
      await run.until('ended by itself (SIGKILL)');

      run.child.kill('SIGKILL');
      await run.exit();
      const next = new Run('--once');
      expect([await next.exit(), next.printed]).toEqual([0, expect.stringContaining('had left behind')]);
    },
    START_MS,
  );

  it(
    "compacts the user's own transcript without any contract, and says so",
    async () => {
      const path = join(ROOT, 'fixtures', 'transcripts', 'claude-code-pull-request.jsonl');
      const run = new Run('--once', '--file', path, '--show-window');
      expect([await run.exit(), run.printed]).toEqual([0, expect.stringContaining('COMPACTED')]);
      expect(run.printed).toContain('no tool contract');
      expect(run.printed).toContain('The compacted window');
    },
    START_MS,
  );

  it.each([
    ['no transcript', 'no transcript at all'],
    ['a result without its call', '[{"role":"tool","tool_call_id":"c1","content":"late"}]'],
  ])('tells a file that holds %s before it starts anything', async (_, text) => {
    writeFileSync(join(folder, 'mine.json'), text);
    const run = new Run('--once', '--file', join(folder, 'mine.json'));
    expect(await run.exit()).toBe(1);
    expect(run.printed).toContain('mine.json');
    expect(run.printed).not.toContain('    at ');
    expect(run.printed).not.toContain('PostgreSQL 18');
  });

  it(
    'ends with 1 when a window cannot be compacted, and says what would help',
    async () => {
      const path = join(ROOT, 'fixtures', 'transcripts', 'tau-bench-airline.json');
      const run = new Run('--once', '--file', path, '--budget', '10');
      expect([await run.exit(), run.printed]).toEqual([1, expect.stringContaining('BUDGET_UNREACHABLE')]);
      expect(run.printed).toContain('Raise the budget');
    },
    START_MS,
  );
});
