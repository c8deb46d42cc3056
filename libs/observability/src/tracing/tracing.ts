import type { SpanAttributes } from './span-attributes';
import type { TraceContext } from './trace-context';

export type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** The span that this one is a part of; without one it begins a trace. */
  readonly parent?: TraceContext | undefined;
  /** A span of another trace that led to this one: what waits in between may take hours. */
  readonly link?: TraceContext | undefined;
  /** Milliseconds since 1970; default: now. */
  readonly startedAtMs?: number;
  readonly attributes?: SpanAttributes;
}

/** A span under way. One that never ends is never told to anybody. */
export interface TraceSpan {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `failedWith` is a code, never a message: messages quote what they complain of. */
  end(how?: { readonly failedWith?: string | undefined; readonly endedAtMs?: number | undefined }): void;
}

/** The traces of one process. */
export interface Tracing {
  /** Undefined where nobody records: traces are off, or whoever began this one does not want it. */
  start(span: SpanStart): TraceSpan | undefined;
  /** Sends what is still to be sent, in bounded time. */
  close(): Promise<void>;
}

/** Traces that are off. They cost a call. */
export const NO_TRACING: Tracing = {
  start: () => undefined,
  close: async () => undefined,
};
