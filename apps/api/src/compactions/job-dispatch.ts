import { type JobProducer, jobPayload } from '@holdfast/queue';
import type { StoredCompaction } from '../ports/repositories';

/** Told how a send ended. */
export interface DispatchObserver {
  sent(): void;
  failed(compactionId: string, error: unknown): void;
}

/**
 * Sends the job of a compaction right after it was committed. Best effort: the outbox row was committed with it, so a
 * queue that is down costs latency and nothing else, and no request waits for it.
 */
export class JobDispatch {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly producer: Pick<JobProducer, 'send'>,
    private readonly observer: DispatchObserver,
  ) {}

  dispatch({ id, dispatchNo }: Pick<StoredCompaction, 'id' | 'dispatchNo'>): void {
    const sending: Promise<void> = this.producer
      .send({ kind: 'compaction.secure', payload: jobPayload(id), dispatchNo: Math.max(1, dispatchNo) })
      .then(() => this.observer.sent())
      .catch((error: unknown) => this.observer.failed(id, error))
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  /** Resolves when every send under way has ended, one way or the other. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
