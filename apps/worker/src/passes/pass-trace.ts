import {
  CHAT,
  GEN_AI,
  type PassPhase,
  readTraceparent,
  SPAN,
  type SpanAttributes,
  type TraceSpan,
  type Tracing,
} from '@holdfast/observability';
import type { ClaimedPass } from '@holdfast/persistence';
import type { LlmRequest } from '@holdfast/summarizers';

/** A request to a language model, and whom it went to. */
export interface TracedRequest extends LlmRequest {
  readonly provider: string;
  readonly model: string;
}

export interface TracedJob {
  readonly jobId: string;
  readonly queue: string;
  /** When the claim began, in milliseconds since 1970. */
  readonly startedAtMs: number;
}

/**
 * The spans of one job: `process`, one for each phase, one for each request to a language model. The span of the request
 * that handed the window in is linked to, not a parent, because a job may wait for hours.
 */
export class PassTrace {
  private readonly span: TraceSpan | undefined;
  private readonly about: SpanAttributes;
  private requests: TracedRequest[] = [];

  constructor(
    private readonly tracing: Pick<Tracing, 'start'>,
    { fence, agentId, seq, attempt, traceparent }: ClaimedPass,
    { jobId, queue, startedAtMs }: TracedJob,
  ) {
    this.about = { [GEN_AI.conversation]: fence.sessionId, [GEN_AI.agent]: agentId };
    this.span = tracing.start({
      ...{ name: `process ${queue}`, kind: 'consumer', startedAtMs, link: readTraceparent(traceparent) },
      attributes: {
        ...this.about,
        ...{ [SPAN.messaging]: 'bullmq', [SPAN.queue]: queue, [SPAN.messagingOperation]: 'process', [SPAN.job]: jobId },
        ...{ [SPAN.tenant]: fence.tenantId, [SPAN.compaction]: fence.compactionId },
        ...{ [SPAN.passNumber]: Number(seq), [SPAN.attempt]: attempt },
      },
    });
  }

  get traceId(): string | undefined {
    return this.span?.context.traceId;
  }

  /** A phase that is over. Requests told of since the phase before were made in this one. */
  phase(phase: PassPhase, startedAtMs: number, endedAtMs: number): void {
    const span = this.part(`compaction ${phase}`, startedAtMs, { [SPAN.phase]: phase });
    if (phase === 'summarize') this.tellRequests(span);
    span?.end({ endedAtMs });
  }

  request(request: TracedRequest): void {
    if (this.span !== undefined) this.requests.push(request);
  }

  end(how: { readonly outcome?: string | undefined; readonly failedWith?: string | undefined } = {}): void {
    // Of a phase that broke off nobody says when it began.
    this.tellRequests(this.span);
    const compacted = how.outcome === 'compacted' ? { [GEN_AI.compacted]: true } : {};
    this.span?.set({ [SPAN.outcome]: how.outcome, ...compacted });
    this.span?.end({ failedWith: how.failedWith });
  }

  private tellRequests(parent: TraceSpan | undefined): void {
    for (const { provider, model, outcome, ...request } of this.requests) {
      const span = this.tracing.start({
        ...{ name: `${CHAT} ${model}`, kind: 'client', startedAtMs: request.startedAtMs, parent: parent?.context },
        attributes: {
          ...this.about,
          ...{ [GEN_AI.operation]: CHAT, [GEN_AI.provider]: provider, [GEN_AI.model]: model },
          ...{ [GEN_AI.maxTokens]: request.maxTokens, [SPAN.answer]: outcome },
          ...{ [GEN_AI.inputTokens]: request.inputTokens, [GEN_AI.outputTokens]: request.outputTokens },
        },
      });
      span?.end({ endedAtMs: request.endedAtMs, failedWith: outcome === 'error' ? 'NO_ANSWER' : undefined });
    }
    this.requests = [];
  }

  private part(name: string, startedAtMs: number, attributes: SpanAttributes): TraceSpan | undefined {
    if (this.span === undefined) return undefined;
    return this.tracing.start({ name, kind: 'internal', parent: this.span.context, startedAtMs, attributes });
  }
}
