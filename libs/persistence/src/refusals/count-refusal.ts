import { type Refusal, refusalCause, refusalUrgency } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { packJson } from '../packed-json';
import type { Fence } from '../passes/fence';
import { newId } from '../uuid';
import { writeSignal } from '../alerts/write-signal';

export interface CountedRefusal {
  readonly refusal: Refusal;
  readonly refusalId: string;
  readonly agentId: string;
  readonly budgetTokens: number;
}

interface GroupRow {
  readonly id: string;
  readonly count: bigint;
}

/**
 * Counts a refusal into the live group of its agent, code and cause, which is made by the first one, and owes the
 * signal of it. Answers the id of the group.
 */
export async function countRefusal(
  tx: TenantTransaction,
  { tenantId, sessionId, compactionId }: Fence,
  { refusal, refusalId, agentId, budgetTokens }: CountedRefusal,
): Promise<string> {
  const { code, headroom_tokens: headroom, repairs } = refusal;
  const { fingerprint, cause, tools } = refusalCause(refusal);
  const { severity, stuck } = refusalUrgency(code, headroom, budgetTokens);
  const headroomTokens = headroom === undefined ? null : BigInt(Math.round(headroom));
  const packed = await packJson(repairs);
  const [group] = await tx.$queryRaw<GroupRow[]>`
    insert into refusal_groups as g (tenant_id, id, agent_id, code, fingerprint, cause, tools, severity,
      headroom_tokens, repairs, last_refusal_id)
    values (${tenantId}::uuid, ${newId()}::uuid, ${agentId}, ${code}, ${fingerprint}, ${cause}, ${[...tools]}::text[],
      ${severity}, ${headroomTokens}::bigint, ${packed}::bytea, ${refusalId}::uuid)
    on conflict (tenant_id, agent_id, code, fingerprint) where status in ('open', 'acknowledged') do update set
      count = g.count + 1,
      sessions = g.sessions + case when exists (
        select from compactions c
        join refusals r on r.tenant_id = c.tenant_id and r.compaction_id = c.id and r.code = ${code}
        where c.tenant_id = g.tenant_id and c.session_id = ${sessionId}::uuid and r.group_id = g.id
      ) then 0 else 1 end,
      severity = case when g.severity = 'page' then 'page' else excluded.severity end,
      headroom_tokens = excluded.headroom_tokens, repairs = excluded.repairs,
      last_refusal_id = excluded.last_refusal_id, last_seen_at = clock_timestamp()
    returning g.id::text as id, g.count`;
  if (group === undefined) throw new TypeError('an upsert answers its row');
  await writeSignal(tx, tenantId, {
    type: 'compaction.refused',
    agentId,
    subject: group.id,
    detail: {
      ...{ code, cause, tools, severity, stuck, headroom_tokens: headroom ?? null },
      first_repair: repairs[0]?.message ?? null,
      ...{ count: Number(group.count), session_id: sessionId, compaction_id: compactionId },
    },
  });
  return group.id;
}
