import { PROBLEM_KINDS, type ProblemCode, type RequestError } from '@holdfast/contracts';

export interface ProblemOptions {
  readonly errors?: readonly RequestError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Why it came to it; logged, never answered. */
  readonly cause?: unknown;
}

/** Thrown wherever a request ends in a problem; the filter answers it. */
export class ApiProblem extends Error {
  readonly errors: readonly RequestError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string = PROBLEM_KINDS[code].title,
    { errors = [], headers = {}, cause }: ProblemOptions = {},
  ) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ApiProblem';
    this.errors = errors;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEM_KINDS[this.code].status;
  }
}

/** Errors that one answer names; the rest adds nothing. */
const MOST_ERRORS = 50;

/** The problem of a request with these errors, of which there is at least one; the first gives the code. */
export function requestProblem(errors: readonly RequestError[]): ApiProblem {
  const first = errors[0];
  if (first === undefined) return new ApiProblem('INTERNAL', 'A request without errors was refused');
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new ApiProblem(first.code, `${first.path || first.in}: ${first.message}${more}`, {
    errors: errors.slice(0, MOST_ERRORS),
  });
}
