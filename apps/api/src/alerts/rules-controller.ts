import { previewRule } from '@holdfast/alerting';
import {
  pageQuerySchema,
  rulePreviewRequestSchema,
  type RulePreviewResponse,
  ruleRequestSchema,
  type RuleResponse,
} from '@holdfast/contracts';
import { Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { ruleInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { type RuleChange, RulePastRepository, RuleRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { draftOf, ruleOf, ruleView } from './rule-wire';
import { settingsActor } from './settings-caller';

@Controller('v1/alerts/rules')
export class RulesController {
  constructor(
    private readonly rules: RuleRepository,
    private readonly past: RulePastRepository,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @Scopes('alerts:manage')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<RuleResponse> {
    const by = settingsActor(caller);
    const draft = draftOf(await readJsonBody(request, ruleRequestSchema, this.budget));
    return changed(await this.rules.create(by, draft));
  }

  @Post('preview')
  @HttpCode(200)
  @Scopes('alerts:read')
  async preview(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<RulePreviewResponse> {
    const { tenantId } = settingsActor(caller);
    const { rule: asked, days } = await readJsonBody(request, rulePreviewRequestSchema, this.budget);
    const rule = ruleOf('preview', asked, '/rule');
    const { observations, fromMs, toMs, isWhole } = await this.past.observe(tenantId, rule, days);
    const preview = previewRule(rule, observations, { fromMs, toMs });
    return {
      ...{ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), is_whole: isWhole },
      ...{ alerts: preview.alerts, occurrences: preview.occurrences },
      days: preview.days.map((day) => ({ ...day })),
      groups: preview.groups.map((group) => ({ ...group, labels: { ...group.labels } })),
    };
  }

  @Get()
  @Scopes('alerts:read')
  async list(
    @Query() query: unknown,
    @CallerOf() { tenantId }: Caller,
  ): Promise<{ readonly items: RuleResponse[]; readonly next: string | null }> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    return pageView(await this.rules.list(tenantId, page), ruleView);
  }

  @Get(':id')
  @Scopes('alerts:read')
  async get(@Param('id') id: string, @CallerOf() { tenantId }: Caller): Promise<RuleResponse> {
    const rule = await this.rules.find(tenantId, ruleInPath(id));
    if (rule === undefined) throw new ApiProblem('RULE_UNKNOWN');
    return ruleView(rule);
  }

  @Put(':id')
  @Scopes('alerts:manage')
  async put(@Param('id') id: string, @CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<RuleResponse> {
    const by = settingsActor(caller);
    const draft = draftOf(await readJsonBody(request, ruleRequestSchema, this.budget));
    return changed(await this.rules.replace(by, ruleInPath(id), draft));
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('alerts:manage')
  async remove(@Param('id') id: string, @CallerOf() caller: Caller): Promise<void> {
    switch (await this.rules.remove(settingsActor(caller), ruleInPath(id))) {
      case 'done':
        return;
      case 'standard':
        throw new ApiProblem('RULE_STANDARD');
      case 'unknown':
        throw new ApiProblem('RULE_UNKNOWN');
    }
  }
}

function changed(answer: RuleChange): RuleResponse {
  switch (answer.kind) {
    case 'done':
      return ruleView(answer.rule);
    case 'name_taken':
      throw new ApiProblem('NAME_TAKEN');
    case 'channels_unknown':
      throw new ApiProblem('CHANNEL_UNKNOWN', `There is no channel ${answer.channelIds.join(', ')}`);
    case 'other_kind': {
      const message = `is another kind than ${answer.isOf}, which the rule stays`;
      throw requestProblem([{ code: 'FIELD_INVALID', path: '/condition/kind', in: 'body', message }]);
    }
    case 'unknown':
      throw new ApiProblem('RULE_UNKNOWN');
  }
}
