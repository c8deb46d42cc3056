import type { TenantTransaction } from '../database';
import { isUuid } from '../page';
import { originalText } from '../text';

/** A session in which a group occurred. */
export interface SeenSession {
  readonly sessionId: string;
  /** The caller's own id of it. */
  readonly session: string;
  readonly count: number;
  readonly lastSeenAt: string;
}

const MOST_INCIDENTS = 10_000;
const MOST_SESSIONS = 50;

export async function sessionsOfGroup(
  tx: TenantTransaction,
  tenantId: string,
  groupId: string,
): Promise<readonly SeenSession[]> {
  if (!isUuid(groupId)) return [];
  const rows = await tx.$queryRaw<{ id: string; name: string; count: number; last: Date }[]>`
    select s.id, s.external_id as name, n.count, n.last
    from (
      select session_id, count(*)::int as count, max(occurred_at) as last
      from (
        select session_id, occurred_at from drift_incidents
        where tenant_id = ${tenantId}::uuid and group_id = ${groupId}::uuid order by id desc limit ${MOST_INCIDENTS}
      ) newest group by session_id
    ) n join sessions s on s.tenant_id = ${tenantId}::uuid and s.id = n.session_id
    order by n.last desc, s.id limit ${MOST_SESSIONS}`;
  return rows.map(({ id, name, count, last }) => ({
    ...{ sessionId: id, session: originalText(name), count, lastSeenAt: last.toISOString() },
  }));
}
