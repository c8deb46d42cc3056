import { requestProblem } from '../problems/api-problem';

const ACCEPTED = /^[\x21-\x7e]{1,200}$/u;

/** The Idempotency-Key of a request; undefined without one. Throws FIELD_INVALID where it cannot be a key. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && ACCEPTED.test(header)) return header;
  throw requestProblem([
    { code: 'FIELD_INVALID', path: '/Idempotency-Key', in: 'header', message: 'is not 1 to 200 visible characters' },
  ]);
}
