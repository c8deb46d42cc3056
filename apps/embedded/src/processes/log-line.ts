/** One line of a process's log, as a person reads it. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** Levels of pino, as numbers. */
const WARN = 40;
const ERROR = 50;
const INFO = 30;

/** Reads a line of stdout or stderr: JSON of pino (level, msg, code, err), or plain text. */
export function readLogLine(line: string, fallback: LogLine['level']): LogLine {
  const entry = parse(line);
  if (entry === undefined) return { level: fallback, text: line };
  const words = [entry['msg'], entry['code'], messageOf(entry['err'])]
    .filter((word): word is string => typeof word === 'string' && word !== '')
    .filter((word, at, all) => all.indexOf(word) === at);
  return { level: levelOf(entry['level']), text: words.length > 0 ? words.join(' | ') : line };
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
}

function levelOf(level: unknown): LogLine['level'] {
  const rank = typeof level === 'number' ? level : { error: ERROR, fatal: 60, warn: WARN, info: INFO }[String(level)];
  if (rank === undefined) return 'info';
  if (rank >= ERROR) return 'error';
  if (rank >= WARN) return 'warn';
  return rank >= INFO ? 'info' : 'debug';
}
