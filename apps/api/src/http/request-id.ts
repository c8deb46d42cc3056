import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from './api-request';

/** What a caller may name its request: nothing that could break a log line. */
const ACCEPTED = /^[\w.:-]{1,128}$/u;

/** Gives every request an id, the caller's own where it is fit, and says it in the answer. */
export function requestId(request: ApiRequest, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  request.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}
