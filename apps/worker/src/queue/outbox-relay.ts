import type { Logger } from '@holdfast/observability';
import type { Dispatch, OutboxRepository } from '@holdfast/persistence';
import { type JobDispatch, jobPayload, type JobProducer } from '@holdfast/queue';
import { RepeatingTask } from '../operation/repeating-task';

export interface RelaySettings {
  readonly busyIntervalMs: number;
  readonly idleIntervalMs: number;
  readonly batchSize: number;
  /** Most passes of one tenant with the queue at once. */
  readonly tenantShare: number;
}

/** How long rows belong to one relay: a send takes 2.5 s at most. */
const CLAIM_MS = 10_000;

export function jobOf({ topic, compactionId, dispatchNo }: Dispatch): JobDispatch {
  return { kind: topic, payload: jobPayload(compactionId), dispatchNo };
}

/** Tells the queue what its writers did not get through: claim, send, mark. No lock is held across a send. */
export class OutboxRelay {
  private readonly task: RepeatingTask;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly producer: JobProducer,
    private readonly settings: RelaySettings,
    log: Logger,
  ) {
    this.task = new RepeatingTask(
      () => this.relay(),
      settings.idleIntervalMs,
      (error) => log.warn({ err: error }, 'The outbox could not be relayed; its rows wait'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  wake(): void {
    this.task.wake();
  }

  private async relay(): Promise<number> {
    const { batchSize, busyIntervalMs, idleIntervalMs, tenantShare } = this.settings;
    const { claimed, heldBack } = await this.outbox.claimDue(batchSize, CLAIM_MS, tenantShare);
    if (claimed.length > 0) {
      await this.producer.sendAll(claimed.map(jobOf));
      await this.outbox.markSent(claimed.map(({ outboxId }) => outboxId));
    }
    if (claimed.length === batchSize) return 0;
    return claimed.length > 0 || heldBack ? busyIntervalMs : idleIntervalMs;
  }
}
