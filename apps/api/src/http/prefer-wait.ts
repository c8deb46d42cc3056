import { MAX_WAIT_SECONDS } from '@holdfast/contracts';

/** Milliseconds that `Prefer: wait=N` (RFC 7240) asks for, at most a minute; 0 where it does not, or not rightly. */
export function preferredWaitMs(header: string | readonly string[] | undefined): number {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/iu.exec(text);
  return match === null ? 0 : Math.min(Number(match[1]), MAX_WAIT_SECONDS) * 1_000;
}
