import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { Draining } from '../http/draining';
import { compactionInPath } from '../http/path-parameter';
import { CompactionRepository, type StoredEvent } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';
import { CompactionAnswers } from './compaction-answers';

const LOOK_EVERY_MS = 250;
const HEARTBEAT_MS = 15_000;
/** What a client waits before it comes back to a stream that broke. */
const RECONNECT_MS = 1_000;

/**
 * Progress as server-sent events. Every event is a row, so a client that comes back with Last-Event-ID misses nothing,
 * whichever process it meets. The stream ends after the last event.
 */
@Controller('v1/compactions')
export class CompactionEventsController {
  constructor(
    private readonly compactions: CompactionRepository,
    private readonly answers: CompactionAnswers,
    private readonly draining: Draining,
  ) {}

  @Get(':id/events')
  @Scopes('compactions:read')
  async follow(
    @Param('id') idText: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @CallerOf() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const id = compactionInPath(idText);
    const compaction = await this.answers.load(caller, id);
    let after = eventIdOf(lastEventId);
    let events = await this.compactions.listEvents(caller.tenantId, id, after);
    if (events.length === 0 && after !== undefined && compaction.status === 'finished') {
      response.status(204).end();
      return;
    }
    const signal = this.draining.signalOf(response);
    response.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    let quietSince = performance.now();
    let isOver = compaction.status === 'finished';
    for (;;) {
      for (const event of events) response.write(eventText(event));
      if (events.length > 0) quietSince = performance.now();
      after = events.at(-1)?.id ?? after;
      isOver ||= events.some(({ type }) => type === 'finished');
      if (signal.aborted || isOver) break;
      if (performance.now() - quietSince >= HEARTBEAT_MS) {
        response.write(': still running\n\n');
        quietSince = performance.now();
      }
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      events = await this.compactions.listEvents(caller.tenantId, id, after);
    }
    response.end();
  }
}

function eventText({ id, type, at, detail }: StoredEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type, at, ...detail })}\n\n`;
}

function eventIdOf(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,18}$/u.test(header)) return header;
  throw requestProblem([
    { code: 'FIELD_INVALID', path: '/Last-Event-ID', in: 'header', message: 'is no id of an event' },
  ]);
}
