import type { JobKind, QueueName } from './job-catalogue';

/**
 * What happens in the background, for logs and metrics. Ids only. `waitMs` runs from sending to taking the job, by the
 * clocks of the two hosts.
 */
export type QueueNotice =
  | {
      readonly type: 'job_completed';
      readonly kind: JobKind;
      readonly jobId: string;
      readonly waitMs: number;
      readonly runMs: number;
    }
  | {
      readonly type: 'job_failed';
      readonly queue: QueueName;
      readonly jobId: string;
      readonly error: unknown;
      readonly waitMs: number;
      readonly runMs: number;
    }
  /** A worker fell silent and its job goes to another one. */
  | { readonly type: 'job_stalled'; readonly queue: QueueName; readonly jobId: string }
  /** This process lost these jobs; their signals are aborted. */
  | { readonly type: 'lock_lost'; readonly queue: QueueName; readonly jobIds: readonly string[] }
  /** The store cannot be reached, or said something odd; the connection comes back by itself. */
  | { readonly type: 'connection_error'; readonly source: QueueName | 'producer' | 'reader'; readonly error: unknown }
  /** A queue is no longer consumed and nobody asked for it: end the process. */
  | { readonly type: 'worker_stopped'; readonly queue: QueueName; readonly error: unknown };

export type Observe = (notice: QueueNotice) => void;
