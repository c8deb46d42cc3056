import type { Logger, Metrics } from '@holdfast/observability';
import type { Dispatch, OutboxRepository } from '@holdfast/persistence';
import type { JobProducer } from '@holdfast/queue';
import { jobOf } from './outbox-relay';

/** Sends what a commit made due at once, best effort: the outbox holds it, and the relay steps in. */
export class DirectDispatch {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly producer: JobProducer,
    private readonly outbox: OutboxRepository,
    private readonly metrics: Metrics,
    private readonly log: Logger,
  ) {}

  dispatch(dispatch: Dispatch): void {
    const sending: Promise<void> = this.send(dispatch)
      .catch((error: unknown) => this.log.debug({ err: error }, 'A job was not sent at once; the relay sends it'))
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async send(dispatch: Dispatch): Promise<void> {
    await this.producer.send(jobOf(dispatch));
    this.metrics.countDispatch('first');
    await this.outbox.markDispatched([dispatch]);
  }
}
