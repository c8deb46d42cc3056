import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@holdfast/observability';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { ApiDependencies } from './api-dependencies';
import { ApiModule } from './api-module';
import { JobDispatch } from './compactions/job-dispatch';
import { TenantLoad } from './compactions/tenant-load';
import { Draining } from './http/draining';
import { BodyBudget } from './http/raw-body';
import { requestId } from './http/request-id';
import { securityHeaders } from './http/security-headers';
import { boundUnreadBody } from './http/unread-body';
import { observeRequests } from './operation/request-observer';
import { answerClientErrors } from './problems/client-error';
import { ProblemFilter } from './problems/problem-filter';
import { RequestThreads } from './threads/request-threads';

export interface RunningApi {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Accepts nothing more, finishes what is under way, and ends the rest after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** Longest time for a request to arrive in full. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than the usual balancer keeps an idle connection, so that it is never the server who ends one first. */
const KEEP_ALIVE_MS = 65_000;
/** Bodies that are in memory together, in bodies of the largest size. */
const LARGEST_BODIES_AT_ONCE = 6;

/** Starts the API on a port; 0 takes a free one. Rejects with what the system says when it cannot listen. */
export async function startApi(dependencies: ApiDependencies, host: string, port: number): Promise<RunningApi> {
  const { settings, queue, metrics, tracing, log, repositories } = dependencies;
  const draining = new Draining();
  const threads = new RequestThreads(settings.tokenizerThreads);
  const producer = queue.createProducer();
  const load = new TenantLoad(settings.tenantShare, (tenantId, limit) =>
    repositories.outbox.countUnfinished(tenantId, limit),
  );
  const jobs = new JobDispatch(
    producer,
    tracing,
    {
      sent: () => metrics.countDispatch('first'),
      failed: (compactionId, traceId, error) =>
        log.warn(
          { compaction_id: compactionId, ...(traceId === undefined ? {} : { trace_id: traceId }), err: error },
          'The job was not sent; the relay will send it',
        ),
    },
    load,
  );
  const budget = new BodyBudget(settings.maxBodyBytes * LARGEST_BODIES_AT_ONCE);
  const adapter = new ExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(
    ApiModule.of(dependencies, { draining, threads, jobs, budget }),
    adapter,
    // Bodies are read by the handlers, behind the guard, so that nobody without a key makes the process read one.
    { bodyParser: false, logger: false, abortOnError: false },
  );
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestId, observeRequests(metrics, tracing), securityHeaders, boundUnreadBody, draining.middleware);
  app.useGlobalFilters(
    new ProblemFilter((problem, request) =>
      log.error(
        {
          request_id: request.requestId,
          ...(request.trace === undefined ? {} : { trace_id: request.trace.traceId }),
          ...{ problem: problem.code, err: problem.cause },
        },
        'A request ended in a problem of ours',
      ),
    ),
  );
  await app.init();
  const server: Server = app.getHttpServer() as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerClientErrors(server);
  try {
    await listen(server, host, port);
  } catch (error) {
    await Promise.all([app.close(), threads.close(), producer.close()]);
    throw error;
  }
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    host: address.address,
    port: address.port,
    url: `http://${shownHost}:${address.port}`,
    async close(deadlineMs) {
      draining.begin();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const patience = new AbortController();
      const late = delay(deadlineMs, 'late' as const, { signal: patience.signal }).catch(() => undefined);
      if ((await Promise.race([ended, late])) === 'late') {
        log.warn({ deadline_ms: deadlineMs }, 'Requests were cut off: they took longer than the deadline');
        server.closeAllConnections();
      }
      patience.abort();
      await ended;
      await jobs.settled();
      await producer.close();
      await app.close();
      await threads.close();
    },
  };
}
