import { HoldfastError } from '@holdfast/core';

/** Thrown when a count could not be made: its threads died twice, or the pool was closed. Code `TOKEN_COUNTER_FAILED`. */
export class TokenCounterError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(
      'TOKEN_COUNTER_FAILED',
      message,
      'Try again; if it persists, look at the memory limit of the process and at the thread error in `cause`.',
      true,
    );
    this.cause = cause;
  }
}
