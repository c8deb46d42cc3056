import type { Caller } from '../auth/caller';
import type { SettingsActor } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';

/** Who changes what concerns every agent. Throws AGENT_NOT_ALLOWED for a key that is limited to some. */
export function settingsActor({ tenantId, keyId, agentAllowList }: Caller): SettingsActor {
  if (agentAllowList.length > 0) {
    throw new ApiProblem('AGENT_NOT_ALLOWED', 'Settings of alerting concern every agent, and the API key allows some');
  }
  return { tenantId, actor: keyId };
}

/** Undefined for all agents. */
export function agentsOf({ agentAllowList }: Caller): readonly string[] | undefined {
  return agentAllowList.length === 0 ? undefined : agentAllowList;
}
