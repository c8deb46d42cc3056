/** Every code that this library raises. */
export const QUEUE_ERROR_CODES = [
  'JOB_HANDLER_MISSING',
  'JOB_KIND_UNKNOWN',
  'JOB_PAYLOAD_INVALID',
  'JOB_VERSION_UNKNOWN',
  'QUEUE_CLOSED',
  'QUEUE_EVICTION_UNSAFE',
  'QUEUE_SCHEMA_MISSING',
  'QUEUE_UNAVAILABLE',
] as const;
export type QueueErrorCode = (typeof QUEUE_ERROR_CODES)[number];

// The brand of every Holdfast error, so that one check recognises them all across packages.
const BRAND = Symbol.for('holdfast.error');

/** What each code means for the one who sees it: can a retry help, and what can be done. */
const MEANING: Record<QueueErrorCode, { readonly retryable: boolean; readonly remedy: string }> = {
  JOB_HANDLER_MISSING: { retryable: false, remedy: 'Register a handler for every job kind of the catalogue.' },
  JOB_KIND_UNKNOWN: { retryable: false, remedy: 'Let a process that knows this job kind consume the queue.' },
  JOB_PAYLOAD_INVALID: { retryable: false, remedy: 'Send a payload of exactly {v, id}, where id is a UUID.' },
  JOB_VERSION_UNKNOWN: { retryable: false, remedy: 'Deploy the readers of a payload version before its writers.' },
  QUEUE_CLOSED: { retryable: false, remedy: 'Send and consume before close() is called.' },
  QUEUE_EVICTION_UNSAFE: {
    retryable: false,
    remedy: 'Set maxmemory-policy to noeviction, or ALLOW_UNSAFE_REDIS=1 where losing jobs silently is acceptable.',
  },
  QUEUE_SCHEMA_MISSING: { retryable: false, remedy: 'Run the migrations before the processes that use the queue.' },
  QUEUE_UNAVAILABLE: {
    retryable: true,
    remedy: 'Nothing is lost: the outbox still holds the job. Send it again later.',
  },
};

/** An error of the queue: a stable code, what to do, whether trying again helps. */
export class QueueError extends Error {
  readonly [BRAND] = true;
  readonly remedy: string;
  readonly retryable: boolean;

  constructor(
    readonly code: QueueErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'QueueError';
    this.remedy = MEANING[code].remedy;
    this.retryable = MEANING[code].retryable;
  }
}

/** Recognises a {@link QueueError} by brand and code, across copies of the package. */
export function isQueueError(value: unknown): value is QueueError {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Record<symbol, unknown>)[BRAND] === true &&
    'code' in value &&
    QUEUE_ERROR_CODES.some((code) => code === value.code)
  );
}

/** The error of a store that did not answer, with what it said as the cause. Errors of this library pass unchanged. */
export function asQueueError(cause: unknown, doing: string): QueueError {
  if (isQueueError(cause)) return cause;
  const said = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new QueueError('QUEUE_UNAVAILABLE', `the queue did not answer while ${doing}: ${said}`, { cause });
}
