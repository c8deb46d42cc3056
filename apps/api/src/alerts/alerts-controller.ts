import { alertActRequestSchema, alertQuerySchema, type AlertResponse } from '@holdfast/contracts';
import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { alertInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { type AlertActor, type AlertAnswer, AlertRepository } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { alertView } from './alert-view';
import { agentsOf } from './settings-caller';

@Controller('v1/alerts/instances')
export class AlertsController {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly budget: BodyBudget,
  ) {}

  @Get()
  @Scopes('alerts:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: AlertResponse[]; readonly next: string | null }> {
    const { agent, state, severity, rule, ...paging } = readQuery(query, alertQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const agentIds = agent === undefined ? agentsOf(caller) : [agent];
    const filter = { agentIds, state, tier: severity, ruleId: rule };
    return pageView(await this.alerts.list(caller.tenantId, filter, pageRequest(paging, 'time')), alertView);
  }

  @Get(':id')
  @Scopes('alerts:read')
  async get(@Param('id') id: string, @CallerOf() caller: Caller): Promise<AlertResponse> {
    const alert = await this.alerts.find(caller.tenantId, alertInPath(id));
    const agents = agentsOf(caller);
    const isSeen = agents === undefined || agents.includes(alert?.labels['agent'] ?? '');
    if (alert === undefined || !isSeen) throw new ApiProblem('ALERT_UNKNOWN');
    return alertView(alert);
  }

  @Post(':id/acknowledge')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async acknowledge(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<AlertResponse> {
    const { comment } = await readJsonBody(request, alertActRequestSchema, this.budget);
    return answered(await this.alerts.acknowledge(actorOf(caller), alertInPath(id), comment));
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @Scopes('alerts:manage')
  async resolve(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<AlertResponse> {
    const { comment } = await readJsonBody(request, alertActRequestSchema, this.budget);
    return answered(await this.alerts.resolve(actorOf(caller), alertInPath(id), comment));
  }
}

function actorOf(caller: Caller): AlertActor {
  return { tenantId: caller.tenantId, actor: caller.keyId, agentIds: agentsOf(caller) };
}

function answered(answer: AlertAnswer): AlertResponse {
  switch (answer.kind) {
    case 'done':
      return alertView(answer.alert);
    case 'pending':
      throw new ApiProblem('ALERT_PENDING');
    case 'resolved':
      throw new ApiProblem('ALERT_RESOLVED');
    case 'unknown':
      throw new ApiProblem('ALERT_UNKNOWN');
  }
}
