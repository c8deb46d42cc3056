import { erasureRequestSchema, type ErasureResponse, pageQuerySchema } from '@holdfast/contracts';
import { Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { ErasureRepository, type ErasureScope, type StoredErasure } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';

/** Removes what was stored about somebody. The repository writes the audit log with its report. */
@Controller('v1/erasures')
export class ErasuresController {
  constructor(
    private readonly erasures: ErasureRepository,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @HttpCode(201)
  @Scopes('data:erase')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<ErasureResponse> {
    const { scope, target } = await readJsonBody(request, erasureRequestSchema, this.budget);
    await this.demand(caller, scope, target);
    const erasure = await this.erasures.erase(caller.tenantId, { scope, target, actor: caller.keyId });
    if (erasure === undefined) throw new ApiProblem('ERASURE_TARGET_UNKNOWN');
    return erasureView(erasure);
  }

  @Get()
  @Scopes('data:erase')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: ErasureResponse[]; readonly next: string | null }> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    return pageView(await this.erasures.list(caller.tenantId, page), erasureView);
  }

  /** A key that is kept to some agents erases nothing of another. */
  private async demand(caller: Caller, scope: ErasureScope, target: string): Promise<void> {
    if (caller.agentAllowList.length === 0) return;
    if (scope === 'agent') return demandAgent(caller, target);
    if (scope === 'session') {
      const agent = await this.erasures.findSessionAgent(caller.tenantId, target);
      if (agent === undefined) throw new ApiProblem('ERASURE_TARGET_UNKNOWN');
      return demandAgent(caller, agent);
    }
    throw new ApiProblem('AGENT_NOT_ALLOWED', `The API key does not allow every agent, so it erases no ${scope}`);
  }
}

function erasureView({ id, scope, target, actor, at, report }: StoredErasure): ErasureResponse {
  const { sessions, originals, bytes, effects, compactions, dataKeys, kept } = report;
  return {
    ...{ id, scope, target, actor, at },
    report: { sessions, originals, bytes, effects, compactions, data_keys: dataKeys, kept: { ...kept } },
  };
}
