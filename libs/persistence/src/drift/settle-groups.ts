import { NEWS_MS, QUIET_MS } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { lockGroup } from './locked-group';

/** Groups of one call; the rest is due at the next one. */
const MOST_AT_ONCE = 200;

/**
 * Lets time pass for the groups of a tenant that it may have changed, before they are listed: no clock of ours has to
 * run for an archive to end. What somebody works on right now is left to them.
 */
export async function settleGroups(tx: TenantTransaction, tenantId: string): Promise<void> {
  const due = await tx.$queryRaw<{ id: string }[]>`
    select id from drift_groups
    where tenant_id = ${tenantId}::uuid and (
      (state = 'new' and first_seen_at <= clock_timestamp() - ${NEWS_MS}::float8 * interval '1 ms')
      or (state = 'regressed' and first_seen_at <= clock_timestamp() - ${NEWS_MS}::float8 * interval '1 ms')
      or (state = 'escalating' and last_seen_at <= clock_timestamp() - ${QUIET_MS}::float8 * interval '1 ms')
      or (state = 'archived' and archived_until <= clock_timestamp())
    )
    order by id limit ${MOST_AT_ONCE} for no key update skip locked`;
  for (const { id } of due) await lockGroup(tx, tenantId, id);
}
