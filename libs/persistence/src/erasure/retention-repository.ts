import { recordAudit } from '../audit-repository';
import type { Database } from '../database';
import { eraseSessions } from './erase-sessions';
import { eraseUnneeded } from './unneeded-originals';

/** For how long a tenant's content is kept, in days. */
export interface Retention {
  /** Windows that are neither the accepted nor the handed-out one of their session. */
  readonly windowsDays: number;
  /** Sessions that nothing happens in. */
  readonly sessionsDays: number;
}

export interface Expired {
  readonly sessions: number;
  readonly originals: number;
  readonly bytes: number;
}

const DEFAULTS: Retention = { windowsDays: 30, sessionsDays: 90 };
const LONGEST_DAYS = 36_500;
const MOST_SESSIONS = 1_000;

export interface RetentionRepository {
  /** Tenants by id, in order, behind one of them. */
  listTenants(after: string | undefined, limit: number): Promise<readonly string[]>;
  /**
   * Removes what a tenant's retention has outlived, and notes it in the audit log when that was anything. Undefined when
   * another process is at it. Safe to repeat and to break off.
   */
  expire(tenantId: string): Promise<Expired | undefined>;
}

/** "holdfast retention" of one tenant, as the key of an advisory lock. */
const LOCK = 'holdfast retention ';

export function createRetentionRepository(database: Database): RetentionRepository {
  return {
    listTenants: (after, limit) =>
      database.asSystem(
        async (tx) => {
          const rows = await tx.tenant.findMany({
            ...(after === undefined ? {} : { where: { id: { gt: after } } }),
            orderBy: { id: 'asc' },
            select: { id: true },
            take: limit,
          });
          return rows.map(({ id }) => id);
        },
        { idempotent: true },
      ),

    async expire(tenantId) {
      const found = await database.withTenant(tenantId, async (tx) => {
        const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
          select pg_try_advisory_xact_lock(hashtextextended(${LOCK + tenantId}, 0)) as taken`;
        if (lock?.taken !== true) return undefined;
        const tenant = await tx.tenant.findUnique({ where: { id: tenantId }, select: { retention: true } });
        const retention = retentionOf(tenant?.retention);
        const idle = await tx.$queryRaw<{ id: string }[]>`
          select id::text from sessions
          where tenant_id = ${tenantId}::uuid and erased_at is null and finished_seq = next_seq - 1
            and updated_at < clock_timestamp() - ${retention.sessionsDays}::int * interval '1 day'
          order by id limit ${MOST_SESSIONS}::int`;
        return { retention, idle: idle.map(({ id }) => id) };
      });
      if (found === undefined) return undefined;
      const { sessions } = await eraseSessions(database, tenantId, found.idle);
      const { originals, bytes } = await eraseUnneeded(database, tenantId, found.retention.windowsDays);
      const expired: Expired = { sessions, originals, bytes };
      if (sessions > 0 || originals > 0) {
        await database.withTenant(tenantId, (tx) =>
          recordAudit(tx, tenantId, {
            actor: 'system',
            action: 'data.expire',
            subject: tenantId,
            detail: { ...expired },
          }),
        );
      }
      return expired;
    },
  };
}

/** A tenant's own days where they are set and make sense, else the usual ones. */
export function retentionOf(column: unknown): Retention {
  const own = typeof column === 'object' && column !== null ? (column as Readonly<Record<string, unknown>>) : {};
  const days = (name: string, usual: number): number => {
    const value = own[name];
    return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LONGEST_DAYS ? value : usual;
  };
  return {
    windowsDays: days('windows_days', DEFAULTS.windowsDays),
    sessionsDays: days('sessions_days', DEFAULTS.sessionsDays),
  };
}
