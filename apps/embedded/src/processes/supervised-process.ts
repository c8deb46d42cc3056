import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ListeningMessage } from './end-with-supervisor';
import { type LogLine, readLogLine } from './log-line';

export interface ProcessOptions {
  readonly name: string;
  /** JavaScript file that it runs. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  onLine(line: LogLine): void;
  /** Told when it ended without being asked to, and when it will be started again. */
  onCrash(how: string, restartInMs: number): void;
}

/** How long a process is given to stop before it is killed. */
const STOP_TIMEOUT_MS = 12_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** A process that lived this long starts its backoff anew. */
const SETTLED_MS = 60_000;
const LAST_LINES = 12;

/**
 * A process of the platform. It is started again when it ends by itself, after a pause that doubles each time, and it ends
 * with the supervisor even when that one is killed.
 *
 *   stopped --start--> running --(ends by itself)--> waiting --(backoff)--> running
 *   running, waiting --stop--> stopped
 */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private backoffMs = FIRST_BACKOFF_MS;
  private log: WriteStream | undefined;
  private lastLines: string[] = [];
  private readonly ports = new Set<number>();
  /** Times that it ended by itself. */
  crashes = 0;

  constructor(private readonly options: ProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** True while it listens on this port itself. */
  listensOn(port: number): boolean {
    return this.ports.has(port);
  }

  /** The end of what it printed, for an error message. */
  lastOutput(): string {
    return this.lastLines.join('\n');
  }

  start(): void {
    this.isWanted = true;
    this.log ??= createWriteStream(this.options.logFile, { flags: 'a', mode: 0o600 }).on('error', () => undefined);
    this.launch();
  }

  /** Asks it to stop, kills it after a while, and resolves when it is gone. `now` kills at once. */
  async stop(now = false): Promise<void> {
    this.isWanted = false;
    clearTimeout(this.timer);
    const { child } = this;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill(now ? 'SIGKILL' : 'SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await gone;
      clearTimeout(timer);
    }
    this.log?.end();
    this.log = undefined;
  }

  private launch(): void {
    const { entry, environment } = this.options;
    const startedAt = Date.now();
    // Detached: Ctrl-C in the terminal reaches the supervisor alone. The channel tells the child when that one dies.
    const child = spawn(process.execPath, ['--require', join(__dirname, 'end-with-supervisor.js'), entry], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: environment,
    });
    this.child = child;
    this.ports.clear();
    child.on('message', (message: Partial<ListeningMessage>) => {
      if (typeof message.listening === 'number') this.ports.add(message.listening);
    });
    this.follow(child.stdout, 'info');
    this.follow(child.stderr, 'error');
    child.once('error', (error) => this.options.onLine({ level: 'error', text: error.message }));
    child.once('exit', (code, signal) => {
      this.ports.clear();
      if (this.isWanted) this.startAgain(signal ?? `exit code ${code ?? 'unknown'}`, Date.now() - startedAt);
    });
  }

  private startAgain(how: string, livedMs: number): void {
    this.crashes += 1;
    if (livedMs > SETTLED_MS) this.backoffMs = FIRST_BACKOFF_MS;
    const waitMs = this.backoffMs;
    this.backoffMs = Math.min(this.backoffMs * 2, LONGEST_BACKOFF_MS);
    this.options.onCrash(how, waitMs);
    this.timer = setTimeout(() => {
      if (this.isWanted) this.launch();
    }, waitMs);
  }

  private follow(stream: NodeJS.ReadableStream | null, level: LogLine['level']): void {
    if (stream === null) return;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      if (line === '') return;
      this.log?.write(`${line}\n`);
      const read = readLogLine(line, level);
      this.lastLines = [...this.lastLines, read.text].slice(-LAST_LINES);
      this.options.onLine(read);
    });
  }
}
