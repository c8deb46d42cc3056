import type { PlanResponse } from '@holdfast/contracts';
import { policyFor, type SessionState } from '@holdfast/core';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { CompactionIntakes } from '../compactions/compaction-intake';
import { recallToolText } from '../compactions/recall-tool';
import { recallToolDefinition } from '@holdfast/contracts';
import type { ApiRequest } from '../http/api-request';
import { SessionRepository, TenantRepository } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';

/** A session before its first pass. */
const NEW_SESSION: SessionState = {
  sessionId: 'planned',
  passes: 0,
  nextElement: 1,
  accepted: undefined,
  handedOut: undefined,
  earlier: [],
  history: undefined,
  records: [],
  effects: [],
  segments: [],
  receiptHead: undefined,
};

const NOTHING_SAID = { marks: [], leastBudgetTokens: 0 };

@Controller('v1/plans')
export class PlansController {
  constructor(
    private readonly intakes: CompactionIntakes,
    private readonly sessions: SessionRepository,
    private readonly tenants: TenantRepository,
    private readonly threads: RequestThreads,
    private readonly settings: ApiSettings,
  ) {}

  @Post()
  @HttpCode(200)
  @Scopes('compactions:write')
  async create(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<PlanResponse> {
    const { body, agent, model } = await this.intakes.read(request, caller);
    const { fields, format } = body;
    const session = await this.sessions.find(caller.tenantId, agent.id, fields.session);
    const state = session === undefined ? NEW_SESSION : await this.sessions.loadState(caller.tenantId, session.id);
    const word = session === undefined ? NOTHING_SAID : await this.sessions.loadOwnersWord(caller.tenantId, session.id);
    const hasRecall = agent.recall === 'tool';
    const outcome = await this.threads.plan({
      request: {
        format,
        mode: agent.mode,
        recall: agent.recall,
        contracts: agent.toolContracts,
        policy: policyFor(format, agent.policy),
        budgetTokens: Math.max(fields.budget_tokens, word.leastBudgetTokens),
        marks: word.marks,
        ...(fields.aim_tokens === undefined ? {} : { aimTokens: fields.aim_tokens }),
        ...(fields.reclaim_target_tokens === undefined ? {} : { reclaimTargetTokens: fields.reclaim_target_tokens }),
        sealKey: await this.tenants.loadSealKey(caller.tenantId),
        limits: { maxDepth: this.settings.maxDepth, maxElements: this.settings.maxElements },
      },
      source: body.source,
      model,
      session: state,
      countedTexts: hasRecall ? [recallToolText(format)] : [],
    });
    if (outcome.kind === 'problems') throw requestProblem(outcome.errors);
    const { countedTokens, ...plan } = outcome.plan;
    return {
      agent: agent.id,
      session: fields.session,
      format,
      mode: agent.mode,
      recall: agent.recall,
      policy_version: agent.policyVersion,
      ...plan,
      recall_tool: hasRecall
        ? { definition: { ...recallToolDefinition(format) }, tokens: countedTokens[0] ?? 0 }
        : null,
    };
  }
}
