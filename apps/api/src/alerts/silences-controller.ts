import type { SilenceProblem } from '@holdfast/alerting';
import {
  createSilenceRequestSchema,
  type RequestError,
  silenceQuerySchema,
  type SilenceResponse,
} from '@holdfast/contracts';
import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { silenceInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { SilenceRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { silenceView } from './alert-view';
import { settingsActor } from './settings-caller';

@Controller('v1/alerts/silences')
export class SilencesController {
  constructor(
    private readonly silences: SilenceRepository,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @Scopes('alerts:manage')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<SilenceResponse> {
    const by = settingsActor(caller);
    const body = await readJsonBody(request, createSilenceRequestSchema, this.budget);
    const draft = {
      matchers: body.matchers,
      startsAt: body.starts_at === undefined ? undefined : new Date(body.starts_at),
      endsAt: new Date(body.ends_at),
      comment: body.comment,
      author: body.author ?? caller.keyId,
    };
    const answer = await this.silences.create(by, draft, caller.scopes.has('keys:manage'));
    if (answer.kind === 'invalid') throw requestProblem(answer.problems.map(requestErrorOf));
    return silenceView(answer.silence);
  }

  @Get()
  @Scopes('alerts:read')
  async list(
    @Query() query: unknown,
    @CallerOf() { tenantId }: Caller,
  ): Promise<{ readonly items: SilenceResponse[]; readonly next: string | null }> {
    const { ended, ...paging } = readQuery(query, silenceQuerySchema);
    const filter = ended === undefined ? {} : { ended: ended === 'true' };
    return pageView(await this.silences.list(tenantId, filter, pageRequest(paging, 'id')), silenceView);
  }

  @Get(':id')
  @Scopes('alerts:read')
  async get(@Param('id') id: string, @CallerOf() { tenantId }: Caller): Promise<SilenceResponse> {
    const silence = await this.silences.find(tenantId, silenceInPath(id));
    if (silence === undefined) throw new ApiProblem('SILENCE_UNKNOWN');
    return silenceView(silence);
  }

  @Post(':id/end')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async end(@Param('id') id: string, @CallerOf() caller: Caller): Promise<SilenceResponse> {
    const silence = await this.silences.end(settingsActor(caller), silenceInPath(id));
    if (silence === undefined) throw new ApiProblem('SILENCE_UNKNOWN');
    return silenceView(silence);
  }
}

function requestErrorOf({ path, message }: SilenceProblem): RequestError {
  // `$.matchers[2]` is `/matchers/2` of the body.
  const pointer = path
    .slice(1)
    .replace(/\[(\d+)\]/gu, '.$1')
    .replaceAll('.', '/');
  return { code: 'FIELD_INVALID', path: pointer, in: 'body', message };
}
