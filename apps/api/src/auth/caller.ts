import type { Scope } from '@holdfast/contracts';
import { ApiProblem } from '../problems/api-problem';

/** Who sends a request: the key, its tenant, and what it may do. */
export interface Caller {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Empty: every agent of the tenant. */
  readonly agentAllowList: readonly string[];
}

export function mayActFor(caller: Caller, agentId: string): boolean {
  return caller.agentAllowList.length === 0 || caller.agentAllowList.includes(agentId);
}

/** Throws AGENT_NOT_ALLOWED, whether the agent exists or not. */
export function demandAgent(caller: Caller, agentId: string): void {
  if (!mayActFor(caller, agentId)) {
    throw new ApiProblem('AGENT_NOT_ALLOWED', `The API key does not allow the agent ${agentId}`);
  }
}
