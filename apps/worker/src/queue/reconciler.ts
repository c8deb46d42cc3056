import type { Logger, Metrics } from '@holdfast/observability';
import type { OutboxRepository, ReconcileRepository } from '@holdfast/persistence';
import { RepeatingTask } from '../operation/repeating-task';

const MOST_AT_ONCE = 500;
/** Sent rows stay for looking back. */
const KEEP_SENT_MS = 3_600_000;
const DELETE_AT_ONCE = 5_000;

/** Finds passes that got lost and makes them due again. Runs in every worker; one at a time does the work. */
export class Reconciler {
  private readonly task: RepeatingTask;

  constructor(
    private readonly repository: ReconcileRepository,
    private readonly outbox: OutboxRepository,
    private readonly metrics: Metrics,
    private readonly intervalMs: number,
    private readonly log: Logger,
    private readonly onDue: () => void,
  ) {
    this.task = new RepeatingTask(
      () => this.reconcile(),
      intervalMs,
      (error) => log.warn({ err: error }, 'Reconciling failed; it is tried again'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async reconcile(): Promise<number> {
    const found = await this.repository.redispatchLost(MOST_AT_ONCE);
    if (found === undefined) return this.intervalMs;
    for (const { compactionId, reason } of found) {
      this.metrics.countDispatch(reason);
      this.log.warn({ compaction_id: compactionId, reason }, 'Dispatched again');
    }
    if (found.length > 0) this.onDue();
    await this.outbox.deleteSent(KEEP_SENT_MS, DELETE_AT_ONCE);
    return found.length === MOST_AT_ONCE ? 0 : this.intervalMs;
  }
}
