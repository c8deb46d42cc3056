import { ROUTES } from '@holdfast/contracts';
import { NO_ROUTE, type OperatorMetrics, type StatusClass } from '@holdfast/observability';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from '../http/api-request';

/** Every route of the API as the metrics name it. */
export const MEASURED_ROUTES: readonly { readonly method: string; readonly route: string }[] = [
  ...ROUTES.map(({ method, path }) => ({ method: method.toUpperCase(), route: path })),
  NO_ROUTE,
];

const KNOWN = new Set(MEASURED_ROUTES.map(({ method, route }) => `${method} ${route}`));

/** The template that a request was routed by, once it was; a path that fits none, which anybody can invent, has one name. */
export function routeOf(request: ApiRequest): { readonly method: string; readonly route: string } {
  const pattern: unknown = request.route?.path;
  if (typeof pattern !== 'string') return NO_ROUTE;
  const route = pattern.replace(/:(\w+)/gu, '{$1}');
  return KNOWN.has(`${request.method} ${route}`) ? { method: request.method, route } : NO_ROUTE;
}

/** Measures every request from its head to the end of its answer. */
export function observeRequests(metrics: Pick<OperatorMetrics, 'observeRequest' | 'expectRoutes'>) {
  metrics.expectRoutes(MEASURED_ROUTES);
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.observeRequest({ ...routeOf(request), status: statusClassOf(response), seconds });
    });
    next();
  };
}

/** An answer whose head was sent counts as given, though the client did not wait for its end. */
function statusClassOf(response: Response): StatusClass {
  if (!response.headersSent) return 'aborted';
  const hundreds = Math.floor(response.statusCode / 100);
  if (hundreds === 2 || hundreds === 3 || hundreds === 4) return `${hundreds}xx`;
  return '5xx';
}
