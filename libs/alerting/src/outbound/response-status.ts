import type { AttemptErrorCode, AttemptOutcome } from './attempt-result';

export interface StatusVerdict {
  readonly outcome: AttemptOutcome;
  readonly code: AttemptErrorCode | null;
  readonly detail: string;
}

/** Redirects that say "for ever": asking again gets the same answer. */
const LASTING_REDIRECTS = new Set([301, 308]);
/** Client errors that pass by themselves. */
const PASSING_REJECTIONS = new Set([408, 425]);

/**
 * What a status says about an attempt. Which rejections are final differs by receiver: `isFinal` is asked about client
 * errors other than 408, 410, 425 and 429.
 */
export function statusVerdict(status: number, isFinal: (status: number) => boolean): StatusVerdict {
  if (status >= 200 && status < 300) {
    return { outcome: 'delivered', code: null, detail: `The receiver took it (${status}).` };
  }
  if (status >= 300 && status < 400) {
    return {
      outcome: LASTING_REDIRECTS.has(status) ? 'permanent' : 'retry',
      code: 'HTTP_REDIRECT',
      detail: `The receiver redirects (${status}). Redirects are not followed: enter the final URL.`,
    };
  }
  if (status === 410) {
    return { outcome: 'gone', code: 'HTTP_GONE', detail: 'The receiver is gone (410) and wants nothing more.' };
  }
  if (status === 429) {
    return { outcome: 'retry', code: 'HTTP_RATE_LIMITED', detail: 'The receiver asks to be called less often (429).' };
  }
  if (status >= 400 && status < 500) {
    const final = !PASSING_REJECTIONS.has(status) && isFinal(status);
    return {
      outcome: final ? 'permanent' : 'retry',
      code: 'HTTP_REJECTED',
      detail: `The receiver rejected the request (${status}).`,
    };
  }
  if (status >= 500 && status < 600) {
    return { outcome: 'retry', code: 'HTTP_SERVER_ERROR', detail: `The receiver failed (${status}).` };
  }
  return { outcome: 'retry', code: 'HTTP_UNEXPECTED', detail: `The receiver answered with status ${status}.` };
}

const SECONDS = /^\s*(\d{1,9})\s*$/;

/** `Retry-After` in milliseconds from now: seconds or a date. Undefined when absent or unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = SECONDS.exec(header)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
