import type { AttemptFailure } from '../outbound/attempt-result';
import { failureOf, networkFailure } from '../outbound/network-failure';

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

/** What the mail server said, when the failure is its answer. */
export function mailReply(error: unknown): { readonly code: number | null; readonly text: string } {
  const code = fieldOf(error, 'responseCode');
  const text = fieldOf(error, 'response');
  return { code: typeof code === 'number' ? code : null, text: typeof text === 'string' ? text : '' };
}

/** A 4yz reply is passing, a 5yz final (RFC 5321, 4.2.1); a login that fails today may be repaired tomorrow. */
export function mailFailure(error: unknown): AttemptFailure {
  const { code, text } = mailReply(error);
  const kind = fieldOf(error, 'code');
  if (kind === 'EAUTH' || kind === 'ENOAUTH') {
    return { outcome: 'retry', code: 'MAIL_AUTH_FAILED', detail: 'The mail server refuses the login.' };
  }
  if (kind === 'ETLS') {
    // An answer to STARTTLS is a no; without one, the handshake failed.
    return text === ''
      ? failureOf('TLS_FAILED')
      : { outcome: 'retry', code: 'STARTTLS_MISSING', detail: 'The mail server offers no secure connection.' };
  }
  if (code !== null && code >= 500) {
    return { outcome: 'permanent', code: 'MAIL_REJECTED', detail: `The mail server rejects the mail (${code}).` };
  }
  if (code !== null && code >= 400) {
    return { outcome: 'retry', code: 'MAIL_DEFERRED', detail: `The mail server asks to try later (${code}).` };
  }
  if (kind === 'EPROTOCOL') {
    return { outcome: 'retry', code: 'RESPONSE_INVALID', detail: 'The answer of the mail server is not SMTP.' };
  }
  if (kind === 'ECONNECTION') return failureOf('CONNECTION_RESET');
  // Where the mail library puts a code of its own in front, the system's still stands behind it.
  const systemCode = fieldOf(error, 'originalCode');
  return networkFailure(systemCode === undefined ? error : { code: systemCode });
}
