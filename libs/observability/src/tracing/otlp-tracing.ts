import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { SpanAttributes } from './span-attributes';
import type { TraceContext } from './trace-context';
import type { SpanStart, TraceSpan, Tracing } from './tracing';

/** No name, id or code is longer; whatever is has no place in a span. */
const LONGEST_VALUE = 256;
const SEND_EVERY_MS = 1_000;
/** What closing waits for a collector. */
const CLOSING_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Traces that go to a collector. Spans are made from explicit parents; nothing is patched and nothing is global, so no
 * library of the process writes spans of its own. Headers, certificates and timeouts of the exporter come from the
 * `OTEL_EXPORTER_OTLP_*` variables that it knows.
 */
export async function otlpTracing({
  endpoint,
  service,
  version,
}: {
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
}): Promise<Tracing> {
  // Loaded here: a process without traces does not pay for them.
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor, TracerProvider }] = await Promise.all(
    [
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ],
  );
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/u, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `holdfast-${service}`, 'service.version': version }),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
  });
  const tracer = provider.getTracer('holdfast', version);
  return {
    start({ name, kind, parent, link, startedAtMs, attributes = {} }: SpanStart) {
      if (link?.sampled === false) return undefined;
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes: { ...attributes },
          ...(link === undefined ? {} : { links: [{ context: spanContext(link) }] }),
          ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }),
        },
        parent === undefined ? ROOT_CONTEXT : contextOf(parent),
      );
      return span.isRecording() ? recorded(span) : undefined;
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const impatience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSING_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), impatience]);
      clearTimeout(timer);
    },
  };
}

function recorded(span: Span): TraceSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
    rename: (name) => void span.updateName(name),
    set: (attributes: SpanAttributes) => void span.setAttributes({ ...attributes }),
    end({ failedWith, endedAtMs } = {}) {
      if (failedWith !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failedWith });
      span.end(endedAtMs);
    },
  };
}

function contextOf(parent: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, spanContext(parent));
}

function spanContext({ traceId, spanId, sampled }: TraceContext) {
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}
