import { type IQueueBackend, type Job, type JobProgress, Worker } from 'bullmq';
import { settlesWithin } from './deadline';

/** How a worker ended: all jobs done, some told to stop and did, or some left behind. */
export type WorkerEnding = 'drained' | 'aborted' | 'abandoned';

/** Longest part of a closing deadline that is kept for jobs to react to their signal. */
const MAX_ABORT_GRACE_MS = 2_000;

/**
 * A BullMQ worker whose closing takes a bounded time.
 *
 * States: fetching -> draining -> (drained | aborting -> (aborted | abandoned)).
 */
export class BoundedWorker<B extends IQueueBackend, C> extends Worker<unknown, void, string, B, JobProgress, C> {
  /**
   * Takes no new job and waits for those that run. Shortly before the deadline it aborts their signals, and at the
   * deadline lets go of what still runs: its lock lapses and another worker takes it over.
   */
  async closeWithin(deadlineMs: number): Promise<WorkerEnding> {
    const graceMs = Math.min(MAX_ABORT_GRACE_MS, deadlineMs / 4);
    // Pausing first ends the search for stalled jobs, which would otherwise keep its timer until closing is over.
    const drained = this.pause(true).then(() => this.close());
    if (await settlesWithin(drained, deadlineMs - graceMs)) return 'drained';
    this.cancelAllJobs('the process shuts down');
    if (await settlesWithin(drained, graceMs)) return 'aborted';
    // close(true) would only join the closing that hangs.
    await settlesWithin(this.letGo(), graceMs);
    return 'abandoned';
  }

  /** A wait for jobs that ends after closing began must not take one more; BullMQ asks only before the wait. */
  protected override moveToActive(token: string, name?: string): Promise<Job<unknown, void, string>> {
    if (this.paused || this.closing !== undefined) return this.nextJobFromJobData(undefined, undefined, token);
    return super.moveToActive(token, name);
  }

  private async letGo(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }
}
