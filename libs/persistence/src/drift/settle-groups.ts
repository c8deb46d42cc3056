import { NEWS_MS, QUIET_MS } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { Prisma } from '../generated/client';
import { lockGroup } from './locked-group';

/** Groups of one call and state; the rest is due at the next one. */
const MOST_AT_ONCE = 200;

/**
 * Lets time pass for the groups of a tenant that it may have changed, before they are listed: no clock of ours has to
 * run for an archive to end. What somebody works on right now is left to them.
 */
export async function settleGroups(tx: TenantTransaction, tenantId: string): Promise<void> {
  const ago = (ms: number): Prisma.Sql => Prisma.sql`clock_timestamp() - ${ms}::float8 * interval '1 ms'`;
  const tenant = Prisma.sql`select id from drift_groups where tenant_id = ${tenantId}::uuid`;
  // Each state by itself, so that each can have an index of its own.
  const due = await tx.$queryRaw<{ id: string }[]>`
    ${tenant} and id = any(array(
      (${tenant} and state = 'new' and first_seen_at <= ${ago(NEWS_MS)} limit ${MOST_AT_ONCE})
      union all
      (${tenant} and state = 'regressed' and first_seen_at <= ${ago(NEWS_MS)} limit ${MOST_AT_ONCE})
      union all
      (${tenant} and state = 'escalating' and last_seen_at <= ${ago(QUIET_MS)} limit ${MOST_AT_ONCE})
      union all
      (${tenant} and state = 'archived' and archived_until <= clock_timestamp() limit ${MOST_AT_ONCE})
    )) order by id for no key update skip locked`;
  for (const { id } of due) await lockGroup(tx, tenantId, id);
}
