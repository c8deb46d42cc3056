import { createHash } from 'node:crypto';
import { MAX_RECALL_MATCHES, type RecallMatches, recallQuerySchema } from '@holdfast/contracts';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ContentReads } from '../audit-log/content-reads';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { handleInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { RecallRepository, type RecalledOriginal, SessionRepository } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { sliceOf } from './recalled-slice';
import { linesOf, withoutLineEnd } from './text-lines';

const TEXT = 'text/plain';
const OCTETS = 'application/octet-stream';
const JSON_TYPE = 'application/json';

/** Reads back what left a window. A handle means something in its own session and nowhere else. */
@Controller('v1/recall')
export class RecallController {
  constructor(
    private readonly originals: RecallRepository,
    private readonly sessions: SessionRepository,
    private readonly reads: ContentReads,
  ) {}

  @Get(':handle')
  @Scopes('recall:read')
  async recall(
    @Param('handle') handleText: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const handle = handleInPath(handleText);
    const { agent, session: name, lines, bytes, query: wanted } = readQuery(query, recallQuerySchema);
    demandAgent(caller, agent);
    const session = await this.sessions.find(caller.tenantId, agent, name);
    const found =
      session === undefined ? undefined : await this.originals.findByHandle(caller.tenantId, session.id, handle);
    if (session === undefined || found === undefined) throw new ApiProblem('HANDLE_UNKNOWN');
    await this.reads.note(caller, session.id, 'recall');
    if (wanted !== undefined) {
      response.status(200).json(matchesOf(found, wanted));
      return;
    }
    const slice = sliceOf(found, { lines, bytes });
    const type = request.accepts([TEXT, OCTETS, JSON_TYPE]);
    if (type === JSON_TYPE) {
      response.status(200).json(slice.view);
      return;
    }
    const digest = createHash('sha256').update(slice.bytes).digest('base64');
    response
      .status(200)
      .set({
        'Content-Type': type === OCTETS ? OCTETS : `${TEXT}; charset=utf-8`,
        'Content-Disposition': 'attachment',
        'Repr-Digest': `sha-256=:${digest}:`,
        'Holdfast-Original-Sha256': found.sha256,
      })
      .end(slice.bytes);
  }
}

function matchesOf(found: RecalledOriginal, wanted: string): RecallMatches {
  const all = linesOf(found.text);
  const matches: { line: number; text: string }[] = [];
  let more = false;
  for (const [index, line] of all.entries()) {
    if (!line.includes(wanted)) continue;
    if (matches.length === MAX_RECALL_MATCHES) {
      more = true;
      break;
    }
    matches.push({ line: index + 1, text: withoutLineEnd(line) });
  }
  return { handle: found.handle, sha256: found.sha256, query: wanted, total_lines: all.length, matches, more };
}
