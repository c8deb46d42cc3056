import type { TokenCounter } from '@holdfast/core';
import type { Logger, Metrics, Tracing } from '@holdfast/observability';
import type { Database, Dispatch, PassRepository } from '@holdfast/persistence';
import type { StepRunner } from '../threads/pass-threads';
import type { Failpoints } from './failpoints';
import type { AllowedSummarizers } from './summarizer-of';

export interface PassSettings {
  /** Who this worker is, for operators. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

export interface PassDependencies {
  readonly database: Database;
  readonly passes: PassRepository;
  readonly runner: StepRunner;
  counterFor(model: string | undefined): TokenCounter;
  /** Tells the queue of what a commit made due; best effort. */
  dispatch(dispatch: Dispatch): void;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  readonly settings: PassSettings;
  readonly summarizers: AllowedSummarizers;
}
