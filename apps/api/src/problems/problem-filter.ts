import { type Problem, PROBLEM_KINDS, PROBLEM_MEDIA_TYPE } from '@holdfast/contracts';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../http/api-request';
import type { ApiProblem } from './api-problem';
import { problemOf } from './problem-of';

/** Told of every problem that is ours: status 500 and above. */
export type ReportProblem = (problem: ApiProblem, request: ApiRequest) => void;

/** Answers whatever a request ends with as a problem (RFC 9457): no stack, no message of an inner error. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly report: ReportProblem) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const problem = problemOf(thrown, request);
    const requestId = request.requestId ?? '';
    if (problem.status >= 500) this.report(problem, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const kind = PROBLEM_KINDS[problem.code];
    const body: Problem = {
      type: `urn:holdfast:problem:${problem.code}`,
      title: kind.title,
      status: kind.status,
      detail: problem.detail,
      instance: request.originalUrl.split('?', 1)[0] ?? '',
      code: problem.code,
      remedy: kind.remedy,
      retryable: kind.retryable === true,
      errors: [...problem.errors],
      request_id: requestId,
    };
    for (const name of ['Content-Disposition', 'Repr-Digest', 'Holdfast-Window']) response.removeHeader(name);
    response.status(kind.status).set(problem.headers).set('Content-Type', PROBLEM_MEDIA_TYPE).end(JSON.stringify(body));
  }
}
