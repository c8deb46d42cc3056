import { createMask } from '@holdfast/core';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/** The ids that a line carries; a log holds ids and codes, never content. */
export interface LogIds {
  readonly trace_id?: string;
  readonly tenant_id?: string;
  readonly agent_id?: string;
  readonly session_id?: string;
  readonly compaction_id?: string;
  readonly job_id?: string;
}

export interface LoggerOptions {
  /** Process that logs: `api`, `worker` ... */
  readonly service: string;
  readonly level: string;
  readonly version?: string;
  /** Default: standard output, one JSON object a line. */
  readonly destination?: DestinationStream;
}

const CENSORED = '[redacted]';
/** Fields that hold content or credentials, wherever they stand. No setting logs them. */
const CENSORED_FIELDS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'secret',
  'content',
  'value',
  'token',
  'pepper',
];
/** Levels below the line itself that are searched. */
const DEPTH = 4;

function censoredPaths(): string[] {
  return CENSORED_FIELDS.flatMap((field) =>
    Array.from({ length: DEPTH + 1 }, (_, level) => {
      const above = Array.from({ length: level }, () => '*').join('.');
      if (above === '') return field;
      return field.startsWith('[') ? `${above}${field}` : `${above}.${field}`;
    }),
  );
}

/** Passwords of connection URLs, keys and tokens: messages of drivers and providers quote them. */
const maskSecrets = createMask(undefined);

function masked(value: unknown): unknown {
  return typeof value === 'string' ? maskSecrets(value) : value;
}

function serializeError(error: Error): unknown {
  const { type, message, stack, ...rest } = stdSerializers.err(error);
  // Only these: errors of drivers carry the parameters of the statement, which are content.
  const { code, retryable, remedy, kind } = rest as Record<string, unknown>;
  return {
    type,
    ...(code === undefined ? {} : { code }),
    ...(kind === undefined ? {} : { kind }),
    ...(retryable === undefined ? {} : { retryable }),
    ...(remedy === undefined ? {} : { remedy }),
    message: maskSecrets(message),
    stack: maskSecrets(stack ?? ''),
  };
}

/** A logger of one process: JSON lines with time in ISO 8601, level in words, service and version. */
export function createLogger(options: LoggerOptions): Logger {
  const { service, level, version, destination } = options;
  return pino(
    {
      level,
      base: { service, ...(version === undefined ? {} : { version }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, masked(value)])),
      },
      hooks: {
        logMethod(given, method) {
          // The message is the first or the second argument; fields are masked above.
          method.apply(this, given.map(masked) as Parameters<typeof method>);
        },
      },
      serializers: { err: serializeError, error: serializeError },
      redact: { paths: censoredPaths(), censor: CENSORED },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** A logger whose every line carries these ids. */
export function withIds(logger: Logger, ids: LogIds): Logger {
  return logger.child(ids);
}
