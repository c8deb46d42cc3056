import type { Logger, Metrics } from '@holdfast/observability';
import { type Observe, queueOf } from '@holdfast/queue';

/** Logs and measures what happens in the background; `onStopped` is told when a queue is no longer consumed. */
export function observeQueue(
  log: Logger,
  metrics: Pick<Metrics, 'observeQueueWait'>,
  onStopped: (error: unknown) => void,
): Observe {
  return (notice) => {
    switch (notice.type) {
      case 'job_completed':
        metrics.observeQueueWait(queueOf(notice.kind), notice.waitMs / 1_000);
        log.debug({ job_id: notice.jobId, wait_ms: notice.waitMs, run_ms: notice.runMs }, 'Job done');
        return;
      case 'job_failed':
        metrics.observeQueueWait(notice.queue, notice.waitMs / 1_000);
        log.error({ job_id: notice.jobId, queue: notice.queue, err: notice.error }, 'Job failed');
        return;
      case 'job_stalled':
        log.warn({ job_id: notice.jobId, queue: notice.queue }, 'A worker fell silent; its job goes to another one');
        return;
      case 'lock_lost':
        log.warn({ job_ids: notice.jobIds, queue: notice.queue }, 'Jobs of this worker were lost to others');
        return;
      case 'connection_error':
        log.warn({ err: notice.error, source: notice.source }, 'The connection to the queue broke');
        return;
      case 'worker_stopped':
        log.fatal({ err: notice.error, queue: notice.queue }, 'A queue is no longer consumed');
        onStopped(notice.error);
    }
  };
}
