import { type AgentResponse, pageQuerySchema, putAgentRequestSchema } from '@holdfast/contracts';
import { validateToolContracts } from '@holdfast/core';
import { Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, demandAgent, mayActFor } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { agentInPath, newAgentInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { AgentRepository, AuditRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { confirmedPacks } from './agent-packs';
import { agentSettings, agentView } from './agent-view';

@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentRepository,
    private readonly audit: AuditRepository,
    private readonly budget: BodyBudget,
  ) {}

  @Put(':agent')
  @Scopes('agents:write')
  async put(
    @Param('agent') name: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentResponse> {
    const agentId = newAgentInPath(name);
    demandAgent(caller, agentId);
    const body = await readJsonBody(request, putAgentRequestSchema, this.budget);
    const problems = validateToolContracts(body.tool_contracts);
    if (problems.length > 0) {
      throw requestProblem(
        problems.map(({ code, path, message }) => ({ code, path: `/tool_contracts${path}`, in: 'body', message })),
      );
    }
    const packs = confirmedPacks(body.packs);
    if (packs.kind === 'problems') throw requestProblem(packs.errors);
    const settings = agentSettings(body, packs);
    const { created, policyVersion } = await this.agents.putAgent(caller.tenantId, agentId, settings);
    await this.audit.record(caller.tenantId, {
      actor: caller.keyId,
      action: 'agent.put',
      subject: agentId,
      detail: { policy_version: policyVersion },
    });
    response.status(created ? 201 : 200);
    return this.load(caller, agentId);
  }

  @Get(':agent')
  @Scopes('agents:read')
  async get(@Param('agent') name: string, @CallerOf() caller: Caller): Promise<AgentResponse> {
    const agentId = agentInPath(name);
    demandAgent(caller, agentId);
    return this.load(caller, agentId);
  }

  @Get()
  @Scopes('agents:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: AgentResponse[]; readonly next: string | null }> {
    const page = await this.agents.listAgents(caller.tenantId, pageRequest(readQuery(query, pageQuerySchema), 'name'));
    return pageView({ ...page, items: page.items.filter(({ id }) => mayActFor(caller, id)) }, agentView);
  }

  private async load(caller: Caller, agentId: string): Promise<AgentResponse> {
    const agent = await this.agents.findAgent(caller.tenantId, agentId);
    if (agent === undefined) throw new ApiProblem('AGENT_UNKNOWN');
    return agentView(agent);
  }
}
