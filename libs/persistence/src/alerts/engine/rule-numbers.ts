import type { TenantTransaction } from '../../transaction';

/** Facts that a rule may count over a window of time. */
export const RULE_METRICS = [
  'passes',
  'passes_refused',
  'passes_failed',
  'drift_incidents',
  'duplicates_blocked',
  'tool_rejections',
] as const;
export type RuleMetric = (typeof RULE_METRICS)[number];

export function isRuleMetric(name: string): name is RuleMetric {
  return RULE_METRICS.some((metric) => metric === name);
}

interface CountRow {
  readonly agentId: string;
  readonly n: number;
}

/** How often it happened in the last `windowMs`, by agent. */
export async function countFacts(
  tx: TenantTransaction,
  tenantId: string,
  metric: RuleMetric,
  windowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await factRows(tx, tenantId, metric, windowMs);
  return new Map(rows.map(({ agentId, n }) => [agentId, n]));
}

function factRows(
  tx: TenantTransaction,
  tenantId: string,
  metric: RuleMetric,
  windowMs: number,
): Promise<readonly CountRow[]> {
  const outcome = metric === 'passes_refused' ? 'refused' : metric === 'passes_failed' ? 'failed' : null;
  switch (metric) {
    case 'passes':
    case 'passes_refused':
    case 'passes_failed':
      return tx.$queryRaw`
        select agent_id as "agentId", count(*)::int as n from compactions
        where tenant_id = ${tenantId}::uuid and finished_at > clock_timestamp() - ${windowMs}::float8 * interval '1 ms'
          and accepted_at > clock_timestamp() - ${windowMs}::float8 * interval '1 ms' - interval '1 day'
          and (${outcome}::text is null or outcome = ${outcome}::text)
        group by agent_id`;
    case 'drift_incidents':
      return tx.$queryRaw`
        select agent_id as "agentId", count(*)::int as n from drift_incidents
        where tenant_id = ${tenantId}::uuid and occurred_at > clock_timestamp() - ${windowMs}::float8 * interval '1 ms'
        group by agent_id`;
    case 'duplicates_blocked':
      return tx.$queryRaw`
        select agent_id as "agentId", count(*)::int as n from effect_attempts
        where tenant_id = ${tenantId}::uuid and answer = 'duplicate' and agent_id is not null
          and at > clock_timestamp() - ${windowMs}::float8 * interval '1 ms'
        group by agent_id`;
    case 'tool_rejections':
      return tx.$queryRaw`
        select agent_id as "agentId", count(*)::int as n from tool_outcomes
        where tenant_id = ${tenantId}::uuid and outcome = 'rejected'
          and at > clock_timestamp() - ${windowMs}::float8 * interval '1 ms'
        group by agent_id`;
  }
}

/** When each agent sent its last window; milliseconds. */
export async function agentsLastSeen(tx: TenantTransaction, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.$queryRaw<{ agentId: string; at: Date }[]>`
    select a.id as "agentId", newest.accepted_at as at from agents a
    cross join lateral (
      select accepted_at from compactions c where c.tenant_id = a.tenant_id and c.agent_id = a.id
      order by accepted_at desc, id desc limit 1
    ) newest
    where a.tenant_id = ${tenantId}::uuid`;
  return new Map(rows.map(({ agentId, at }) => [agentId, at.getTime()]));
}

/** Since when the oldest refusal of each agent and code waits that nobody has acknowledged; milliseconds. */
export async function oldestOpenRefusals(
  tx: TenantTransaction,
  tenantId: string,
): Promise<
  readonly { readonly agentId: string; readonly code: string; readonly groupId: string; readonly at: number }[]
> {
  const rows = await tx.$queryRaw<{ agentId: string; code: string; groupId: string; at: Date }[]>`
    select distinct on (agent_id, code) agent_id as "agentId", code, id::text as "groupId", first_seen_at as at
    from refusal_groups where tenant_id = ${tenantId}::uuid and status = 'open'
    order by agent_id, code, first_seen_at`;
  return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }));
}
