import { type RouteMethod, ROUTES } from '@holdfast/contracts';

const PATTERNS = ROUTES.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/[.]/gu, '\\$&').replace(/\{\w+\}/gu, '[^/]+')}/?$`, 'u'),
}));

/** Methods of the routes that a path belongs to; empty when there is no such route. */
export function methodsOf(path: string): readonly RouteMethod[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
