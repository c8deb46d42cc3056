import { ROUTES } from '@holdfast/contracts';
import {
  NO_ROUTE,
  type OperatorMetrics,
  readTraceparent,
  SPAN,
  type StatusClass,
  type TraceSpan,
  type Tracing,
} from '@holdfast/observability';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from '../http/api-request';

interface RouteLabels {
  readonly method: string;
  readonly route: string;
}

/** Every route of the API as the metrics name it. */
export const MEASURED_ROUTES: readonly RouteLabels[] = [
  ...ROUTES.map(({ method, path }) => ({ method: method.toUpperCase(), route: path })),
  NO_ROUTE,
];

const KNOWN = new Set(MEASURED_ROUTES.map(({ method, route }) => `${method} ${route}`));
/** Only what callers do is traced: probes and scrapes would drown it. */
const TRACED = /^\/v1\//u;

/** The template that a request was routed by, once it was; a path that fits none, which anybody can invent, has one name. */
export function routeOf(request: ApiRequest): RouteLabels {
  const { path: pattern }: { readonly path?: unknown } = request.route ?? {};
  if (typeof pattern !== 'string') return NO_ROUTE;
  const route = pattern.replace(/:(\w+)/gu, '{$1}');
  return KNOWN.has(`${request.method} ${route}`) ? { method: request.method, route } : NO_ROUTE;
}

/** Measures and traces every request from its head to the end of its answer. */
export function observeRequests(
  metrics: Pick<OperatorMetrics, 'observeRequest' | 'expectRoutes'>,
  tracing: Pick<Tracing, 'start'>,
) {
  metrics.expectRoutes(MEASURED_ROUTES);
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const caller = readTraceparent(request.headers.traceparent);
    const span = TRACED.test(request.url)
      ? tracing.start({ name: NO_ROUTE.route, kind: 'server', parent: caller })
      : undefined;
    request.trace = span?.context ?? caller;
    response.once('close', () => {
      const labels = routeOf(request);
      const status = statusClassOf(response);
      metrics.observeRequest({ ...labels, status, seconds: (performance.now() - startedAt) / 1_000 });
      if (span !== undefined) endSpan(span, request, response, labels, status);
    });
    next();
  };
}

function endSpan(
  span: TraceSpan,
  request: ApiRequest,
  response: Response,
  { method, route }: RouteLabels,
  status: StatusClass,
): void {
  span.rename(`${method} ${route}`);
  span.set({
    [SPAN.method]: method,
    [SPAN.route]: route,
    [SPAN.requestId]: request.requestId,
    [SPAN.tenant]: request.caller?.tenantId,
    ...(status === 'aborted' ? {} : { [SPAN.status]: response.statusCode }),
  });
  const failedWith = status === '5xx' ? String(response.statusCode) : status === 'aborted' ? 'ABORTED' : undefined;
  span.end({ failedWith });
}

/** An answer whose head was sent counts as given, though the client did not wait for its end. */
function statusClassOf(response: Response): StatusClass {
  if (!response.headersSent) return 'aborted';
  const hundreds = Math.floor(response.statusCode / 100);
  if (hundreds === 2 || hundreds === 3 || hundreds === 4) return `${hundreds}xx`;
  return '5xx';
}
