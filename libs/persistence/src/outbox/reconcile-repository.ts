import type { Database, SystemTransaction } from '../database';
import { type Dispatch, writeDispatch } from './write-dispatch';

export type LostReason = 'lease_expired' | 'queue_lost';

export interface Redispatched extends Dispatch {
  readonly reason: LostReason;
}

/** Finds passes that nobody works on although it is their turn, and makes them due again. */
export interface ReconcileRepository {
  /**
   * Writes a new outbox row for at most `limit` passes whose lease ran out, whose job nobody took in time, or that wait
   * for another attempt. Only one process at a time does it; undefined when another one is at it.
   */
  redispatchLost(limit: number): Promise<readonly Redispatched[] | undefined>;
}

/** The advisory lock of reconciling: "holdfast reconcile" in a number. */
const RECONCILE_LOCK = 4_065_311_001n;

interface LostRow {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly id: string;
  readonly phase: string;
  readonly running: boolean;
}

export function createReconcileRepository(database: Database): ReconcileRepository {
  return {
    redispatchLost: (limit) =>
      database.asSystem(async (tx) => {
        const [lock] = await tx.$queryRaw<{ taken: boolean }[]>`
          select pg_try_advisory_xact_lock(${RECONCILE_LOCK}) as taken`;
        if (lock?.taken !== true) return undefined;
        const redispatched: Redispatched[] = [];
        for (const lost of await findLost(tx, limit)) redispatched.push(await redispatch(tx, lost));
        return redispatched;
      }),
  };
}

/** Neither finished nor leased, first in its session, overdue, and nothing about it waits in the outbox. */
function findLost(tx: SystemTransaction, limit: number): Promise<LostRow[]> {
  return tx.$queryRaw<LostRow[]>`
    select c.tenant_id::text as "tenantId", c.session_id::text as "sessionId", c.id::text as id, c.phase,
      (c.status = 'running') as running
    from compactions c
    join sessions s on s.tenant_id = c.tenant_id and s.id = c.session_id and c.seq = s.finished_seq + 1
    where c.status in ('accepted', 'dispatched', 'running') and c.next_dispatch_at <= clock_timestamp()
      and (s.lease_until is null or s.lease_until <= clock_timestamp())
      and not exists (
        select from outbox o where o.sent_at is null and o.tenant_id = c.tenant_id and o.aggregate_id = c.id
      )
    order by c.next_dispatch_at limit ${limit}::int`;
}

async function redispatch(tx: SystemTransaction, lost: LostRow): Promise<Redispatched> {
  const { tenantId, id } = lost;
  const reason: LostReason = lost.running ? 'lease_expired' : 'queue_lost';
  const topic = lost.phase === 'accepted' ? 'compaction.secure' : 'compaction.summarize';
  const dispatch = await writeDispatch(tx, tenantId, id, topic);
  await tx.$executeRaw`
    insert into events (tenant_id, compaction_id, session_id, type, detail)
    values (${tenantId}::uuid, ${id}::uuid, ${lost.sessionId}::uuid, 'redispatched',
      jsonb_build_object('reason', ${reason}::text, 'dispatch_no', ${dispatch.dispatchNo}::int))`;
  return { ...dispatch, reason };
}
