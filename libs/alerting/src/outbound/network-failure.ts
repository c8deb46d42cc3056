import type { AttemptErrorCode, AttemptFailure } from './attempt-result';

const BY_NODE_CODE: Readonly<Record<string, AttemptErrorCode>> = {
  ADDRESS_NOT_ALLOWED: 'ADDRESS_NOT_ALLOWED',
  ENOTFOUND: 'NAME_NOT_RESOLVED',
  EAI_AGAIN: 'NAME_NOT_RESOLVED',
  EAI_FAIL: 'NAME_NOT_RESOLVED',
  EAI_NODATA: 'NAME_NOT_RESOLVED',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  UND_ERR_SOCKET: 'CONNECTION_RESET',
  ETIMEDOUT: 'DEADLINE_EXCEEDED',
  UND_ERR_CONNECT_TIMEOUT: 'DEADLINE_EXCEEDED',
  UND_ERR_HEADERS_TIMEOUT: 'DEADLINE_EXCEEDED',
  UND_ERR_BODY_TIMEOUT: 'DEADLINE_EXCEEDED',
  UND_ERR_INVALID_ARG: 'REQUEST_INVALID',
  UND_ERR_HEADERS_OVERFLOW: 'RESPONSE_INVALID',
};

const WORDS: Readonly<Partial<Record<AttemptErrorCode, string>>> = {
  ADDRESS_NOT_ALLOWED:
    'The name resolves to no address that may be reached: only public addresses and allowed networks.',
  NAME_NOT_RESOLVED: 'The name of the receiver does not resolve.',
  CONNECTION_REFUSED: 'The receiver refuses connections.',
  CONNECTION_RESET: 'The receiver closed the connection before it answered.',
  CONNECTION_FAILED: 'The receiver could not be reached.',
  TLS_FAILED: 'No secure connection: the certificate is not trusted, or the receiver speaks no TLS.',
  DEADLINE_EXCEEDED: 'The receiver did not answer in time.',
  CANCELLED: 'The attempt was cancelled before it ended.',
  REQUEST_INVALID: 'The request holds something that HTTP does not allow.',
  RESPONSE_INVALID: 'The answer of the receiver is not HTTP.',
};

function propertyOf(error: unknown, name: 'code' | 'cause' | 'name'): unknown {
  return typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;
}

function isTlsCode(code: string): boolean {
  return /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|SELF_SIGNED|^EPROTO$|HOSTNAME_MISMATCH/.test(code);
}

/** Node wraps failures (several addresses tried, a fetch's cause): the innermost known code tells what happened. */
function knownCode(error: unknown, depth = 0): AttemptErrorCode | null {
  if (depth > 5) return null;
  const code = propertyOf(error, 'code');
  if (typeof code === 'string') {
    const known = BY_NODE_CODE[code];
    if (known !== undefined && Object.hasOwn(BY_NODE_CODE, code)) return known;
    if (isTlsCode(code)) return 'TLS_FAILED';
  }
  if (propertyOf(error, 'name') === 'HTTPParserError') return 'RESPONSE_INVALID';
  if (error instanceof AggregateError && error.errors.length > 0) return knownCode(error.errors[0], depth + 1);
  const cause = propertyOf(error, 'cause');
  return cause === undefined ? null : knownCode(cause, depth + 1);
}

/** What a thrown condition means for the attempt. Its message is left out: it may hold the URL. */
export function networkFailure(error: unknown): AttemptFailure {
  return failureOf(knownCode(error) ?? 'CONNECTION_FAILED');
}

export function failureOf(code: AttemptErrorCode): AttemptFailure {
  return {
    outcome: code === 'REQUEST_INVALID' ? 'permanent' : 'retry',
    code,
    detail: WORDS[code] ?? 'The attempt failed.',
  };
}
