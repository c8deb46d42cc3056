import type { RequestError } from '@holdfast/contracts';
import { InvalidWindowError, isHoldfastError } from '@holdfast/core';
import { HttpException } from '@nestjs/common';
import { ApiProblem, requestProblem } from './api-problem';
import { methodsOf } from './routes-of-path';

/** Seconds after which a caller may try again. */
const RETRY_AFTER_SECONDS = '2';

/**
 * The edge's table from what was thrown to what is answered. Whatever it does not know is our own fault and says no
 * more than that.
 */
export function problemOf(thrown: unknown, request: { readonly method: string; readonly path: string }): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  if (thrown instanceof InvalidWindowError) {
    return requestProblem(
      thrown.problems.map(({ code, path, message }): RequestError => ({
        code,
        path: `/window${path}`,
        in: 'body',
        message,
      })),
    );
  }
  if (isHoldfastError(thrown)) {
    if (thrown.code === 'ORIGINAL_ERASED') return new ApiProblem('ORIGINAL_ERASED', undefined, { cause: thrown });
    if (thrown.code === 'CHANNEL_UNREADABLE') return new ApiProblem('CHANNEL_UNREADABLE', undefined, { cause: thrown });
    if (thrown.retryable) {
      return new ApiProblem(thrown.code === 'STORE_UNAVAILABLE' ? 'STORE_UNAVAILABLE' : 'BUSY', undefined, {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        cause: thrown,
      });
    }
    return new ApiProblem('INTERNAL', undefined, { cause: thrown });
  }
  const status = statusOf(thrown);
  if (status === 404) return unknownRoute(request);
  if (status === 400) return malformedPath();
  return new ApiProblem('INTERNAL', undefined, { cause: thrown });
}

function unknownRoute({ method, path }: { readonly method: string; readonly path: string }): ApiProblem {
  const allowed = methodsOf(path);
  if (allowed.length === 0) return new ApiProblem('ROUTE_UNKNOWN', 'There is no such route');
  const allow = allowed.map((name) => name.toUpperCase()).join(', ');
  return new ApiProblem('METHOD_NOT_ALLOWED', `${method} is not among ${allow}`, { headers: { Allow: allow } });
}

/** The router answers 400 to a path whose percent escapes are broken. */
function malformedPath(): ApiProblem {
  return requestProblem([{ code: 'FIELD_INVALID', path: '', in: 'path', message: 'has broken percent escapes' }]);
}

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof URIError) return 400;
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const status = (thrown as { status?: unknown }).status;
  return typeof status === 'number' ? status : undefined;
}
