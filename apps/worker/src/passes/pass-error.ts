import { isHoldfastError } from '@holdfast/core';

/** What a worker does about an error of a pass. */
export type ErrorAnswer =
  /** Another worker holds the session: write nothing, the job is done. */
  | { readonly kind: 'give_way' }
  /** Trying again cannot help: the pass ends as `failed`, with this code. */
  | { readonly kind: 'fail'; readonly code: string }
  /** Counted, and tried again later. */
  | { readonly kind: 'retry'; readonly code: string };

/** Translates an error into complete, give up or retry. What nobody foresaw is retried: attempts are counted. */
export function answerTo(error: unknown): ErrorAnswer {
  if (isHoldfastError(error)) {
    if (error.code === 'FENCED') return { kind: 'give_way' };
    return { kind: error.retryable ? 'retry' : 'fail', code: error.code };
  }
  return { kind: 'retry', code: 'INTERNAL' };
}
