import type { AgentPolicy } from '@holdfast/core';
import { fromJsonColumn } from '../json-column';

/** A shipped pack of contracts that the owner confirmed, with the version that was in force then. */
export interface ConfirmedPack {
  readonly name: string;
  readonly version: number;
  /** What stands in front of the agent's tool names; empty for none. */
  readonly prefix: string;
}

/** What the policy column holds: the policy, and the packs that went into the contracts beside it. */
interface PolicyColumn extends AgentPolicy {
  readonly packs?: readonly ConfirmedPack[];
}

/** An agent without packs is stored as it was before there were any, so that its policy stays the same version. */
export function policyColumn(policy: AgentPolicy, packs: readonly ConfirmedPack[]): PolicyColumn {
  return packs.length === 0 ? policy : { ...policy, packs };
}

/** Settings were checked when they were put. */
export function fromPolicyColumn(stored: unknown): {
  readonly policy: AgentPolicy;
  readonly packs: readonly ConfirmedPack[];
} {
  const { packs = [], ...policy } = fromJsonColumn(stored) as PolicyColumn;
  return { policy, packs };
}
