import { HoldfastError } from '@holdfast/core';

/** One variable that cannot be used. */
export interface EnvironmentProblem {
  readonly variable: string;
  /** What is wrong, without the value of a secret. */
  readonly problem: string;
  /** What to set. */
  readonly remedy: string;
}

/** The environment cannot be used. Names every bad variable at once; thrown at boot, before anything is opened. */
export class EnvironmentError extends HoldfastError {
  constructor(
    /** The process that does not start. */
    readonly process: string,
    readonly problems: readonly EnvironmentProblem[],
  ) {
    const lines = problems.map(({ variable, problem, remedy }) => `\n  - ${variable} ${problem}. ${remedy}.`);
    super(
      'ENVIRONMENT_INVALID',
      `The environment of ${process} cannot be used:${lines.join('')}`,
      'Set the variables named and start again; docs/env.example lists all of them.',
    );
  }
}
