/**
 * What an attempt came to. `delivered`: the receiver took it. `retry`: try again later. `permanent`: the same request can
 * never succeed. `gone`: the receiver says that it wants nothing more from this channel.
 */
export type AttemptOutcome = 'delivered' | 'retry' | 'permanent' | 'gone';

export const ATTEMPT_ERRORS = {
  URL_INVALID: 'configuration',
  URL_USERINFO: 'configuration',
  SCHEME_NOT_ALLOWED: 'configuration',
  PORT_NOT_ALLOWED: 'configuration',
  CHANNEL_INVALID: 'configuration',
  REQUEST_INVALID: 'configuration',
  ADDRESS_NOT_ALLOWED: 'address',
  NAME_NOT_RESOLVED: 'network',
  CONNECTION_REFUSED: 'network',
  CONNECTION_RESET: 'network',
  CONNECTION_FAILED: 'network',
  TLS_FAILED: 'tls',
  STARTTLS_MISSING: 'tls',
  DEADLINE_EXCEEDED: 'timeout',
  CANCELLED: 'cancelled',
  RESPONSE_INVALID: 'response',
  HTTP_REDIRECT: 'response',
  HTTP_RATE_LIMITED: 'response',
  HTTP_GONE: 'response',
  HTTP_REJECTED: 'response',
  HTTP_SERVER_ERROR: 'response',
  HTTP_UNEXPECTED: 'response',
  MAIL_AUTH_FAILED: 'mail',
  MAIL_DEFERRED: 'mail',
  MAIL_REJECTED: 'mail',
} as const;

/** Stable: they are stored with every attempt and shown to operators. */
export type AttemptErrorCode = keyof typeof ATTEMPT_ERRORS;
export type AttemptErrorClass = (typeof ATTEMPT_ERRORS)[AttemptErrorCode];

/** One attempt at delivering one notification to one channel. A network condition is told here and never thrown. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly statusCode?: number;
  /** How long the receiver asks to wait, as it said it: the schedule caps it. */
  readonly retryAfterMs?: number;
  readonly latencyMs: number;
  /** At most 4 KB of the answer, with the channel's secrets masked and without control characters. */
  readonly responseExcerpt: string;
  readonly errorClass: AttemptErrorClass | null;
  readonly errorCode: AttemptErrorCode | null;
  /** One sentence for an operator. */
  readonly detail: string;
}

export interface AttemptFailure {
  readonly outcome: Exclude<AttemptOutcome, 'delivered'>;
  readonly code: AttemptErrorCode;
  readonly detail: string;
}

/** The result of an attempt that got no answer. */
export function failedAttempt(failure: AttemptFailure, latencyMs: number): AttemptResult {
  return {
    outcome: failure.outcome,
    latencyMs,
    responseExcerpt: '',
    errorClass: ATTEMPT_ERRORS[failure.code],
    errorCode: failure.code,
    detail: failure.detail,
  };
}
