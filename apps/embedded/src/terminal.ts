import { type Style, styleFor } from 'holdfast';
import type { LogLine } from './processes/log-line';

const NAME_WIDTH = 8;

/** Prints steps, logs of processes with their name in front, and the report. */
export class Terminal {
  readonly style: Style;
  /** Logs below a warning are held back (they are in the log files) until there is nothing else to read. */
  showsLogs: boolean;
  private lastLog = '';

  constructor(private readonly verbose: boolean) {
    this.style = styleFor(process.stdout, process.env);
    this.showsLogs = verbose;
  }

  print(text = ''): void {
    process.stdout.write(`${text}\n`);
  }

  /** One step on the way, by the part that it belongs to. */
  step(part: string, text: string): void {
    this.print(`${this.style.dim(part.padEnd(NAME_WIDTH))} ${text}`);
  }

  warn(part: string, text: string): void {
    this.print(`${this.style.warn(part.padEnd(NAME_WIDTH))} ${text}`);
  }

  /** A failure in sentences; the stack only for whoever asked for it. */
  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\n${this.style.bad('Holdfast cannot go on.')} ${message}\n`);
    if (this.verbose && error instanceof Error) process.stderr.write(`${stackOf(error)}\n`);
  }

  log(part: string, { level, text }: LogLine): void {
    if (level === 'debug' && !this.verbose) return;
    if (level === 'info' && !this.showsLogs) return;
    // Every connection of a pool breaks with the same words; the log files hold all of them.
    if (!this.verbose && this.lastLog === `${part} ${text}`) return;
    this.lastLog = `${part} ${text}`;
    const mark = { debug: this.style.dim, info: this.style.dim, warn: this.style.warn, error: this.style.bad }[level];
    this.print(`${mark(part.padEnd(NAME_WIDTH))} ${text}`);
  }
}

function stackOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `${error.stack ?? ''}\nCaused by: ${stackOf(cause)}` : (error.stack ?? '');
}
