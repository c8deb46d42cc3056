import type { AgentResponse, PutAgentRequest } from '@holdfast/contracts';
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
    },
    toolContracts: { ...contracts, ...request.tool_contracts },
    packs,
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
    },
    packs: [...(agent.packs ?? [])],
    tool_contracts: { ...agent.toolContracts },
    policy_version: agent.policyVersion,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}
