import { auditQuerySchema, MAX_AUDIT_BYTES } from '@holdfast/contracts';
import type { AuditReport, ToolContracts } from '@holdfast/core';
import { Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readQuery } from '../http/query';
import { BodyBudget, readRawBody } from '../http/raw-body';
import { AgentRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';

/** Audits somebody's compaction while the caller waits, and stores nothing of it. */
@Controller('v1/audits')
export class AuditsController {
  constructor(
    private readonly agents: AgentRepository,
    private readonly threads: RequestThreads,
    private readonly settings: ApiSettings,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @HttpCode(200)
  @Scopes('compactions:read')
  async create(@Query() query: unknown, @CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<AuditReport> {
    const { agent } = readQuery(query, auditQuerySchema);
    const contracts = agent === undefined ? {} : await this.contractsOf(caller, agent);
    const { maxBodyBytes, maxDepth, maxElements } = this.settings;
    const bytes = await readRawBody(request, Math.min(maxBodyBytes, MAX_AUDIT_BYTES), this.budget);
    const outcome = await this.threads.audit({ bytes, limits: { maxDepth, maxElements }, contracts });
    if (outcome.kind === 'problems') throw requestProblem(outcome.errors);
    return outcome.report;
  }

  private async contractsOf(caller: Caller, agent: string): Promise<ToolContracts> {
    demandAgent(caller, agent);
    const found = await this.agents.findAgent(caller.tenantId, agent);
    if (found !== undefined) return found.toolContracts;
    throw new ApiProblem('AGENT_UNKNOWN', undefined, {
      errors: [{ code: 'AGENT_UNKNOWN', path: '/agent', in: 'query', message: 'is no agent; create it first' }],
    });
  }
}
