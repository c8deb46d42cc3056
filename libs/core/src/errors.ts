import type { RefusalCode } from './terms';

const BRAND = Symbol.for('holdfast.error');

/** Base of every error that Holdfast throws: a stable code, what to do, whether trying again helps. */
export class HoldfastError extends Error {
  readonly [BRAND] = true;

  constructor(
    readonly code: string,
    message: string,
    /** What the caller can do about it, in one sentence. */
    readonly remedy: string,
    readonly retryable = false,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** Recognises an error of Holdfast across copies of the package (by brand, never by message or `instanceof`). */
export function isHoldfastError(value: unknown): value is HoldfastError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

/** One thing that is wrong with a caller's window: where, what, stable code. */
export interface WindowProblem {
  readonly code: WindowProblemCode;
  /** JSON pointer into the window. */
  readonly path: string;
  readonly message: string;
}

export const WINDOW_PROBLEM_CODES = [
  'WINDOW_NOT_JSON',
  'WINDOW_TOO_DEEP',
  'WINDOW_TOO_MANY_ELEMENTS',
  'WINDOW_WRONG_SHAPE',
  'FORMAT_UNKNOWN',
  'ELEMENT_WRONG_TYPE',
  'ELEMENT_ID_DUPLICATE',
  'ELEMENT_ID_RESERVED',
  'ELEMENT_NAME_TOO_LONG',
  'TOOL_RESULT_ORPHAN',
  'TOOL_RESULT_MISSING',
  'ROLE_INVALID',
  'MESSAGE_EMPTY',
] as const;
export type WindowProblemCode = (typeof WINDOW_PROBLEM_CODES)[number];

/** Thrown when a window cannot be read; nothing was stored. */
export class InvalidWindowError extends HoldfastError {
  constructor(readonly problems: readonly WindowProblem[]) {
    const first = problems[0];
    super(
      first?.code ?? 'WINDOW_WRONG_SHAPE',
      problems.map((problem) => `${problem.path || '/'}: ${problem.message}`).join('; '),
      'Mend the window at the paths named and send it again.',
    );
  }
}

/** The seed's exception: a pass would lose state that is neither externalized nor pinned. */
export class CompactionInvariantError extends HoldfastError {
  constructor(
    code: RefusalCode,
    message: string,
    /** What the refusal is about: an element id, a field name or a size in tokens. */
    readonly detail: string | number,
  ) {
    super(code, message, 'Externalize the element, declare it regenerable and idempotent, or raise the budget.');
  }
}

/** A broken promise inside Holdfast itself; the pass stops and the caller keeps its window. */
export class InvariantBrokenError extends HoldfastError {
  constructor(message: string) {
    super('INVARIANT_BROKEN', message, 'Report it with the compaction id; the window that was sent is still valid.');
  }
}
