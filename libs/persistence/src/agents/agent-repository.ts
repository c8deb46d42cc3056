import type { AgentPolicy, Mode, RecallSetting, ToolContracts } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import type { Agent, AgentPolicy as PolicyRow } from '../generated/client';
import { fromJsonColumn, jsonColumn } from '../json-column';
import { type Page, pageOf, type PageRequest } from '../page';
import { PersistenceError } from '../persistence-error';
import { type ConfirmedPack, fromPolicyColumn, policyColumn } from './policy-column';
import { canonicalJson } from '../passes/canonical-json';

export interface AgentSettings {
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly policy: AgentPolicy;
  /** In force: those of the packs, and the owner's own, which go before them. */
  readonly toolContracts: ToolContracts;
  readonly packs?: readonly ConfirmedPack[];
}

export interface StoredAgent extends AgentSettings {
  readonly id: string;
  readonly policyVersion: number;
  /** Raises smaller budgets of its passes. */
  readonly budgetTokens: number | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Agents of a tenant. Policies are immutable: a changed one is a new version, and a pass names the one it ran with. */
export interface AgentRepository {
  /** Creates the agent or changes its settings; the same policy and contracts again are no new version. */
  putAgent(
    tenantId: string,
    id: string,
    settings: AgentSettings,
  ): Promise<{ readonly policyVersion: number; readonly created: boolean }>;
  findAgent(tenantId: string, id: string): Promise<StoredAgent | undefined>;
  /** Settings as they were with this policy version; mode and recall are those of now. Throws STORE_CONFLICT. */
  loadAgentVersion(tenantId: string, id: string, version: number): Promise<StoredAgent>;
  listAgents(tenantId: string, page: PageRequest): Promise<Page<StoredAgent>>;
}

export function createAgentRepository(database: Database): AgentRepository {
  const reading = { idempotent: true };
  return {
    putAgent: (tenantId, id, settings) =>
      database.withTenant(tenantId, (tx) => putAgent(tx, tenantId, id, settings), reading),

    findAgent: (tenantId, id) => database.withTenant(tenantId, (tx) => findAgent(tx, tenantId, id), reading),

    loadAgentVersion: (tenantId, id, version) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const agent = await findAgent(tx, tenantId, id, version);
          if (agent === undefined) {
            throw new PersistenceError('STORE_CONFLICT', `Agent ${id} has no policy version ${version}`);
          }
          return agent;
        },
        reading,
      ),

    listAgents: (tenantId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const rows = await tx.agent.findMany({
            where: { tenantId, ...(after === undefined ? {} : { id: { gt: after } }) },
            orderBy: { id: 'asc' },
            take: limit + 1,
          });
          const policies = await tx.agentPolicy.findMany({
            where: { tenantId, OR: rows.map((row) => ({ agentId: row.id, version: row.policyVersion })) },
          });
          const byAgent = new Map(policies.map((policy) => [policy.agentId, policy]));
          const agents = rows.flatMap((row) => {
            const policy = byAgent.get(row.id);
            return policy === undefined ? [] : [storedAgent(row, policy)];
          });
          return pageOf(
            agents,
            limit,
            (agent) => agent,
            (agent) => agent.id,
          );
        },
        reading,
      ),
  };
}

async function putAgent(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  { mode, recall, policy, toolContracts, packs = [] }: AgentSettings,
): Promise<{ readonly policyVersion: number; readonly created: boolean }> {
  const created = await tx.$executeRaw`
    insert into agents (tenant_id, id, mode, recall, policy_version)
    values (${tenantId}::uuid, ${id}, ${mode}, ${recall}, 1) on conflict do nothing`;
  const columns = { policy: jsonColumn(policyColumn(policy, packs)), toolContracts: jsonColumn(toolContracts) };
  if (created === 1) {
    await tx.agentPolicy.create({ data: { tenantId, agentId: id, version: 1, ...columns } });
    return { policyVersion: 1, created: true };
  }
  // Two writers take their turns here, so that versions have no gaps and no doubles.
  await tx.$queryRaw`
    select 1 as locked from agents where tenant_id = ${tenantId}::uuid and id = ${id} for no key update`;
  const where = { tenantId_id: { tenantId, id } };
  const agent = await tx.agent.findUniqueOrThrow({ where });
  const current = await tx.agentPolicy.findUniqueOrThrow({
    where: { tenantId_agentId_version: { tenantId, agentId: id, version: agent.policyVersion } },
  });
  const same =
    canonicalJson(current.policy) === canonicalJson(columns.policy) &&
    canonicalJson(current.toolContracts) === canonicalJson(columns.toolContracts);
  const policyVersion = same ? agent.policyVersion : agent.policyVersion + 1;
  if (!same) await tx.agentPolicy.create({ data: { tenantId, agentId: id, version: policyVersion, ...columns } });
  await tx.agent.update({ where, data: { mode, recall, policyVersion } });
  return { policyVersion, created: false };
}

async function findAgent(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  version?: number,
): Promise<StoredAgent | undefined> {
  const agent = await tx.agent.findUnique({ where: { tenantId_id: { tenantId, id } } });
  if (agent === null) return undefined;
  const policy = await tx.agentPolicy.findUnique({
    where: { tenantId_agentId_version: { tenantId, agentId: id, version: version ?? agent.policyVersion } },
  });
  return policy === null ? undefined : storedAgent(agent, policy);
}

/** Settings were checked when they were put. */
function storedAgent(agent: Agent, policy: PolicyRow): StoredAgent {
  return {
    id: agent.id,
    mode: agent.mode as Mode,
    recall: agent.recall as RecallSetting,
    ...fromPolicyColumn(policy.policy),
    toolContracts: fromJsonColumn(policy.toolContracts) as ToolContracts,
    policyVersion: policy.version,
    budgetTokens: agent.budgetTokens === null ? undefined : Number(agent.budgetTokens),
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  };
}
