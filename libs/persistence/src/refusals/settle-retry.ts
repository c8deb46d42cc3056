import type { TenantTransaction } from '../database';
import type { Fence } from '../passes/fence';
import { closeIfDone, resolveRefusals, SYSTEM_ACTOR } from './close-group';
import { lockGroup } from './stored-group';
import { writeStep } from './triage';

export interface RetryEnd {
  /** True when the pass ended compacted or unchanged, for an agent that does not only observe. */
  readonly passed: boolean;
  readonly outcome: string;
  readonly code: string | undefined;
}

/**
 * Ends a retried pass for its group: one that passed closes every open refusal of its session, and the group once
 * nothing of it is open. Nothing for a pass that is no retry. In the transaction that ends the pass.
 */
export async function settleRetry(
  tx: TenantTransaction,
  { tenantId, sessionId, compactionId }: Fence,
  { passed, outcome, code }: RetryEnd,
): Promise<void> {
  const [retried] = await tx.$queryRaw<{ groupId: string | null }[]>`
    select r.group_id::text as "groupId" from compactions c
    left join refusals r on r.tenant_id = c.tenant_id and r.compaction_id = c.retry_of and r.group_id is not null
    where c.tenant_id = ${tenantId}::uuid and c.id = ${compactionId}::uuid and c.retry_of is not null`;
  const groupId = retried?.groupId ?? undefined;
  if (groupId === undefined) return;
  await lockGroup(tx, tenantId, groupId);
  await tx.$executeRaw`
    update refusal_groups set retries_open = greatest(retries_open - 1, 0)
    where tenant_id = ${tenantId}::uuid and id = ${groupId}::uuid`;
  if (!passed && outcome !== 'refused') {
    const detail = { outcome, code: code ?? null, session_id: sessionId, compaction_id: compactionId };
    await writeStep(tx, { tenantId, id: groupId }, { kind: 'retry_failed', actor: SYSTEM_ACTOR, detail });
  }
  const touched = passed ? await resolveRefusals(tx, tenantId, [sessionId]) : [];
  const lastWord = outcome === 'refused' ? 'refused_again' : 'still_open';
  for (const id of new Set([groupId, ...touched])) await closeIfDone(tx, tenantId, id, lastWord);
}
