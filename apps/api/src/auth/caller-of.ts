import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request';
import { ApiProblem } from '../problems/api-problem';
import type { Caller } from './caller';

/** The caller of a guarded route. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = context.switchToHttp().getRequest<ApiRequest>().caller;
  if (caller === undefined) throw new ApiProblem('UNAUTHENTICATED');
  return caller;
});
