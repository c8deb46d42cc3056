/** Where a span stands, as it crosses processes (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whoever began the trace wants it recorded. */
  readonly sampled: boolean;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/u;
const SAMPLED_BIT = 1;

/** Undefined for what is no traceparent. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' ? TRACEPARENT.exec(text) : null) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED_BIT) === SAMPLED_BIT };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
