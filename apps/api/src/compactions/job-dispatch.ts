import { SPAN, type TraceContext, type TraceSpan, type Tracing, writeTraceparent } from '@holdfast/observability';
import { type JobProducer, jobPayload, queueOf } from '@holdfast/queue';
import type { StoredCompaction } from '../ports/repositories';
import type { TenantLoad } from './tenant-load';

/** Told how a send ended. */
export interface DispatchObserver {
  sent(): void;
  failed(compactionId: string, traceId: string | undefined, error: unknown): void;
}

/** A send that is to come: its place in the trace is stored with the compaction, before there is anything to send. */
export interface PlannedSend {
  readonly traceparent: string | undefined;
  readonly traceId: string | undefined;
  readonly span: TraceSpan | undefined;
}

const KIND = 'compaction.secure';

/**
 * Sends the job of a compaction right after it was committed. Best effort: the outbox row was committed with it, so a
 * queue that is down costs latency and nothing else, and no request waits for it. A tenant that has its share of the queue
 * already is left to the relay.
 */
export class JobDispatch {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly producer: Pick<JobProducer, 'send'>,
    private readonly tracing: Tracing,
    private readonly observer: DispatchObserver,
    private readonly load: Pick<TenantLoad, 'take'>,
  ) {}

  /** `parent` is where the request stands; it is stored as it is where this process records no trace. */
  plan(parent: TraceContext | undefined): PlannedSend {
    const queue = queueOf(KIND);
    const span = this.tracing.start({
      ...{ name: `publish ${queue}`, kind: 'producer', parent },
      attributes: { [SPAN.messaging]: 'bullmq', [SPAN.queue]: queue, [SPAN.messagingOperation]: 'send' },
    });
    const context = span?.context ?? parent;
    return {
      traceparent: context === undefined ? undefined : writeTraceparent(context),
      traceId: context?.traceId,
      span,
    };
  }

  dispatch(
    tenantId: string,
    { id, dispatchNo }: Pick<StoredCompaction, 'id' | 'dispatchNo'>,
    planned?: PlannedSend,
  ): void {
    planned?.span?.set({ [SPAN.compaction]: id });
    if (!this.load.take(tenantId, performance.now())) {
      planned?.span?.end();
      return;
    }
    const sending: Promise<void> = this.producer
      .send({ kind: KIND, payload: jobPayload(id), dispatchNo: Math.max(1, dispatchNo) })
      .then(
        () => {
          planned?.span?.end();
          this.observer.sent();
        },
        (error: unknown) => {
          planned?.span?.end({ failedWith: 'JOB_NOT_SENT' });
          this.observer.failed(id, planned?.traceId, error);
        },
      )
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  /** Resolves when every send under way has ended, one way or the other. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
