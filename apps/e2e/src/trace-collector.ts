import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const attributes = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })).default([]);
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  events: z.array(z.unknown()).default([]),
  status: z.object({ code: z.int().optional(), message: z.string().optional() }).default({}),
});
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export interface CollectedSpan extends z.infer<typeof spanSchema> {
  /** `holdfast-api` or `holdfast-worker`. */
  readonly service: string;
}

/** A collector that speaks OTLP over HTTP, as JSON, and keeps what it is told. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The bodies as they came. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (request.url !== '/v1/traces') {
        response.writeHead(404).end();
        return;
      }
      bodies.push(body);
      for (const { resource, scopeSpans } of requestSchema.parse(JSON.parse(body)).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'];
        const service = typeof name === 'string' ? name : '';
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
      response.setHeader('content-type', 'application/json').end('{}');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    ...{ spans, bodies },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
