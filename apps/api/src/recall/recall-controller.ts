import { createHash } from 'node:crypto';
import { MAX_RECALL_MATCHES, type RecalledText, type RecallMatches, recallQuerySchema } from '@holdfast/contracts';
import { encodeText } from '@holdfast/core';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { handleInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { RecallRepository, type RecalledOriginal, SessionRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { linesOf, withoutLineEnd } from './text-lines';

const TEXT = 'text/plain';
const BYTES = 'application/octet-stream';
const JSON_TYPE = 'application/json';

/** Reads back what left a window. A handle means something in its own session and nowhere else. */
@Controller('v1/recall')
export class RecallController {
  constructor(
    private readonly originals: RecallRepository,
    private readonly sessions: SessionRepository,
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
    const { agent, session: name, lines, query: wanted } = readQuery(query, recallQuerySchema);
    demandAgent(caller, agent);
    const session = await this.sessions.find(caller.tenantId, agent, name);
    const found =
      session === undefined ? undefined : await this.originals.findByHandle(caller.tenantId, session.id, handle);
    if (found === undefined) throw new ApiProblem('HANDLE_UNKNOWN');
    if (wanted !== undefined) {
      response.status(200).json(matchesOf(found, wanted));
      return;
    }
    const slice = sliceOf(found, lines);
    const type = request.accepts([TEXT, BYTES, JSON_TYPE]);
    if (type === JSON_TYPE) {
      response.status(200).json(slice.view);
      return;
    }
    const digest = createHash('sha256').update(slice.bytes).digest('base64');
    response
      .status(200)
      .set({
        'Content-Type': type === BYTES ? BYTES : `${TEXT}; charset=utf-8`,
        'Content-Disposition': 'attachment',
        'Repr-Digest': `sha-256=:${digest}:`,
        'Holdfast-Original-Sha256': found.sha256,
      })
      .end(slice.bytes);
  }
}

interface Slice {
  readonly view: RecalledText;
  /** As archived: a lone surrogate has its three bytes. */
  readonly bytes: Uint8Array;
}

function sliceOf(found: RecalledOriginal, lines: string | undefined): Slice {
  const all = linesOf(found.text);
  const [first, last] = lines === undefined ? [1, Math.max(all.length, 1)] : rangeOf(lines, all.length);
  const text = lines === undefined ? found.text : all.slice(first - 1, last).join('');
  return {
    bytes: lines === undefined ? found.bytes : encodeText(text),
    view: {
      handle: found.handle,
      sha256: found.sha256,
      element_id: found.elementId,
      label: found.label,
      tokens: found.tokens,
      lines: { first, last, total: all.length },
      text,
    },
  };
}

/** First and last line, the last not behind the end. */
function rangeOf(lines: string, total: number): readonly [first: number, last: number] {
  const [first = 1, last = 1] = lines.split('-').map(Number);
  if (first > last || first > Math.max(total, 1)) {
    throw requestProblem([
      { code: 'FIELD_OUT_OF_RANGE', path: '/lines', in: 'query', message: `lies outside of 1-${total}` },
    ]);
  }
  return [first, Math.min(last, Math.max(total, 1))];
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
