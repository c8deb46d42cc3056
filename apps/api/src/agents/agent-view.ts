import type { AgentResponse, PutAgentRequest } from '@holdfast/contracts';
import type { SummarizerSetting } from '@holdfast/core';
import type { AgentSettings, StoredAgent } from '../ports/repositories';
import type { PackAnswer } from './agent-packs';

/** An agent's settings out of a request, with the packs that it names. */
export function agentSettings(
  request: PutAgentRequest,
  { packs, contracts }: Extract<PackAnswer, { kind: 'packs' }>,
): AgentSettings {
  const { policy } = request;
  return {
    mode: request.mode,
    recall: request.recall,
    policy: {
      ...(policy.on_ambiguous === undefined ? {} : { onAmbiguous: policy.on_ambiguous }),
      aimShare: policy.aim_share,
      minGainShare: policy.min_gain_share,
      pinnedBlockTokens: policy.pinned_block_tokens,
      tailMessages: policy.tail_messages,
      ...(policy.summarizer === undefined ? {} : { summarizer: summarizerSetting(policy.summarizer) }),
    },
    toolContracts: { ...contracts, ...request.tool_contracts },
    packs,
  };
}

type WireSummarizer = NonNullable<AgentResponse['policy']['summarizer']>;

function summarizerSetting(wire: WireSummarizer): SummarizerSetting {
  return {
    provider: wire.provider,
    baseUrl: wire.base_url,
    model: wire.model,
    ...(wire.key === undefined ? {} : { key: wire.key }),
    timeoutMs: wire.timeout_ms,
    maxRequestCharacters: wire.max_request_characters,
    maxTokensPerPass: wire.max_tokens_per_pass,
  };
}

function summarizerView(setting: SummarizerSetting): WireSummarizer {
  return {
    provider: setting.provider,
    base_url: setting.baseUrl,
    model: setting.model,
    ...(setting.key === undefined ? {} : { key: setting.key }),
    timeout_ms: setting.timeoutMs ?? 30_000,
    max_request_characters: setting.maxRequestCharacters ?? 60_000,
    max_tokens_per_pass: setting.maxTokensPerPass ?? 200_000,
  };
}

/** An agent on the wire. */
export function agentView(agent: StoredAgent): AgentResponse {
  return {
    agent: agent.id,
    mode: agent.mode,
    recall: agent.recall,
    policy: {
      on_ambiguous: agent.policy.onAmbiguous ?? null,
      aim_share: agent.policy.aimShare,
      min_gain_share: agent.policy.minGainShare,
      pinned_block_tokens: agent.policy.pinnedBlockTokens,
      tail_messages: agent.policy.tailMessages,
      summarizer: agent.policy.summarizer === undefined ? null : summarizerView(agent.policy.summarizer),
    },
    packs: [...(agent.packs ?? [])],
    tool_contracts: { ...agent.toolContracts },
    policy_version: agent.policyVersion,
    budget_tokens: agent.budgetTokens ?? null,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}
