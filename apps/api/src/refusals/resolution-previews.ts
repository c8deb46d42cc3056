import { type PreviewResponse, recallToolDefinition } from '@holdfast/contracts';
import { type ElementMark, type PassRequest, policyFor, type Refusal, type SessionState } from '@holdfast/core';
import { flagsOf, isMark, mergedMarks, sessionOf } from '@holdfast/persistence';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import type { Caller } from '../auth/caller';
import { recallToolText } from '../compactions/recall-tool';
import {
  AgentRepository,
  CompactionRepository,
  type RefusalGroupDetail,
  type Resolution,
  SessionRepository,
  type StoredAgent,
  type StoredCompaction,
  TenantRepository,
} from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';

/** Plans what a resolution leads to, on the newest window of one session; writes nothing. */
@Injectable()
export class ResolutionPreviews {
  constructor(
    private readonly agents: AgentRepository,
    private readonly sessions: SessionRepository,
    private readonly compactions: CompactionRepository,
    private readonly tenants: TenantRepository,
    private readonly threads: RequestThreads,
    private readonly settings: ApiSettings,
  ) {}

  async preview(caller: Caller, detail: RefusalGroupDetail, resolution: Resolution): Promise<PreviewResponse> {
    const { tenantId } = caller;
    const { group, newest } = detail;
    if (resolution.kind === 'adopt_best_proven') return this.previewAdoption(tenantId, detail, resolution);
    const name = sessionOf(resolution) ?? newest?.session;
    const agent = await this.agents.findAgent(tenantId, group.agentId);
    const session = name === undefined ? undefined : await this.sessions.find(tenantId, group.agentId, name);
    if (agent === undefined || session === undefined || name === undefined) throw new ApiProblem('SESSION_UNKNOWN');
    const [pass, state, word] = await Promise.all([
      this.sessions.findNewestPass(tenantId, session.id),
      this.sessions.loadState(tenantId, session.id),
      this.sessions.loadOwnersWord(tenantId, session.id),
    ]);
    const source =
      pass === undefined ? undefined : await this.sessions.findWindowSource(tenantId, session.id, pass.inputWindowId);
    if (pass === undefined || source === undefined) throw new ApiProblem('WINDOW_UNKNOWN');
    if (isMark(resolution) && !knows(state, resolution.elementId)) throw new ApiProblem('ELEMENT_UNKNOWN');
    const changed = agentWith(agent, resolution);
    const marks = mergedMarks([...word.marks, ...markOf(resolution, caller.keyId)]);
    const hasRecall = changed.recall === 'tool';
    const outcome = await this.threads.plan({
      request: {
        ...{ format: pass.format, mode: 'enforce', recall: changed.recall, contracts: changed.toolContracts, marks },
        policy: policyFor(pass.format, changed.policy),
        ...limitsWith(pass, word.leastBudgetTokens, detail, resolution),
        sealKey: await this.tenants.loadSealKey(tenantId),
        limits: { maxDepth: this.settings.maxDepth, maxElements: this.settings.maxElements },
      },
      source,
      model: pass.model,
      session: stateWith(state, resolution),
      countedTexts: hasRecall ? [recallToolText(pass.format)] : [],
    });
    if (outcome.kind === 'problems') throw requestProblem(outcome.errors);
    const { countedTokens, refusal, ...plan } = outcome.plan;
    // The plan is an upper bound; what the refused pass itself proved is none.
    const isProven = newest?.compactionId === pass.id && isProvenBy(newest.refusal, resolution);
    return {
      would_pass: refusal === null || isProven,
      session: name,
      sessions: sessionOf(resolution) === undefined ? group.sessions : 1,
      plan: {
        ...{ agent: agent.id, session: name, format: pass.format, mode: 'enforce', recall: changed.recall },
        policy_version: agent.policyVersion,
        ...plan,
        refusal: isProven ? null : refusal,
        recall_tool: hasRecall
          ? { definition: { ...recallToolDefinition(pass.format) }, tokens: countedTokens[0] ?? 0 }
          : null,
      },
    };
  }

  private async previewAdoption(
    tenantId: string,
    { group }: RefusalGroupDetail,
    { compactionId }: Extract<Resolution, { kind: 'adopt_best_proven' }>,
  ): Promise<PreviewResponse> {
    const pass = await this.compactions.find(tenantId, compactionId);
    if (pass === undefined || pass.agentId !== group.agentId) throw new ApiProblem('COMPACTION_UNKNOWN');
    return { would_pass: pass.bestProvenWindowId !== undefined, session: pass.session, sessions: 1, plan: null };
  }
}

/** True for a limit that the refused pass has shown to be enough for this window. */
function isProvenBy({ repairs }: Refusal, resolution: Resolution): boolean {
  if (resolution.kind === 'raise_budget') {
    return repairs.some((one) => one.kind === 'raise_budget' && one.budget_tokens <= resolution.budgetTokens);
  }
  if (resolution.kind !== 'lower_target') return false;
  const { reclaimTargetTokens: target } = resolution;
  return repairs.some(
    (one) => one.kind === 'lower_target' && (target === undefined || target <= one.reclaim_target_tokens),
  );
}

function knows({ accepted, history }: SessionState, elementId: string): boolean {
  return [accepted, history].some((manifest) => manifest?.entries.some(({ id }) => id === elementId) === true);
}

function agentWith(
  agent: StoredAgent,
  resolution: Resolution,
): Pick<StoredAgent, 'recall' | 'toolContracts' | 'policy'> {
  switch (resolution.kind) {
    case 'declare_tool':
      return { ...agent, toolContracts: { ...agent.toolContracts, [resolution.tool]: resolution.contract } };
    case 'enable_recall':
      return { ...agent, recall: 'tool' };
    default:
      return agent;
  }
}

function markOf(resolution: Resolution, actor: string): readonly ElementMark[] {
  if (!isMark(resolution)) return [];
  const { elementId, reason } = resolution;
  const source = resolution.kind === 'mark_element' ? resolution.source : undefined;
  return [{ elementId, flags: flagsOf(resolution), reason, actor, ...(source === undefined ? {} : { source }) }];
}

function limitsWith(
  pass: StoredCompaction,
  leastBudgetTokens: number,
  { newest }: RefusalGroupDetail,
  resolution: Resolution,
): Pick<PassRequest, 'budgetTokens'> & Partial<Pick<PassRequest, 'aimTokens' | 'reclaimTargetTokens'>> {
  const raised = resolution.kind === 'raise_budget' ? resolution.budgetTokens : 0;
  let target = pass.reclaimTargetTokens;
  if (resolution.kind === 'lower_target' && target !== undefined) {
    const own = newest?.refusal.repairs.find((repair) => repair.kind === 'lower_target')?.reclaim_target_tokens;
    const lowered = Math.min(target, resolution.reclaimTargetTokens ?? own ?? target);
    target = lowered === 0 ? undefined : lowered;
  }
  return {
    budgetTokens: Math.max(pass.budgetTokens, leastBudgetTokens, raised),
    ...(pass.aimTokens === undefined ? {} : { aimTokens: pass.aimTokens }),
    ...(target === undefined ? {} : { reclaimTargetTokens: target }),
  };
}

/** The ledger and the scratch store as they would be. */
function stateWith(state: SessionState, resolution: Resolution): SessionState {
  if (resolution.kind === 'release_record') {
    const { ref } = resolution;
    if (!state.records.some((record) => record.ref === ref)) throw new ApiProblem('RECORD_UNKNOWN');
    return {
      ...state,
      records: state.records.map((record) => (record.ref === ref ? { ...record, released: true } : record)),
    };
  }
  if (resolution.kind !== 'attach_effect') return state;
  const { elementId, target, idempotencyKey } = resolution;
  return {
    ...state,
    effects: state.effects.map((effect) =>
      effect.occurrence === elementId && effect.claim === undefined
        ? { ...effect, target, ...(idempotencyKey === undefined ? {} : { idempotencyKey, keySource: 'declared' }) }
        : effect,
    ),
  };
}
