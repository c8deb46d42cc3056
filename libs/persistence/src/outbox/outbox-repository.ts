import type { Database } from '../database';
import type { Dispatch, DispatchTopic } from './write-dispatch';

/** A dispatch that this process is to send; nobody else sends it before the claim runs out. */
export interface ClaimedDispatch extends Dispatch {
  readonly outboxId: bigint;
}

export interface DueDispatches {
  readonly claimed: readonly ClaimedDispatch[];
  /** Something is due and waits, because its tenant has its share of the queue already. */
  readonly heldBack: boolean;
}

/** What the queue has still to be told. Claim, send, mark: no lock is held across a send. */
export interface OutboxRepository {
  /**
   * Due rows, oldest first, claimed for `claimMs`. A tenant has at most `share` passes with the queue at once, so that
   * nobody waits behind all that another one sent; what goes on with a pass that has begun is never held back.
   */
  claimDue(limit: number, claimMs: number, share: number): Promise<DueDispatches>;
  /** Passes of a tenant that have not finished, counted up to `limit`. */
  countUnfinished(tenantId: string, limit: number): Promise<number>;
  markSent(outboxIds: readonly bigint[]): Promise<void>;
  /** Marks dispatches that their writer sent itself, so that the relay need not. */
  markDispatched(dispatches: readonly Dispatch[]): Promise<void>;
  /** Removes rows that were sent longer ago than this; at most `limit` at once. Answers how many. */
  deleteSent(olderThanMs: number, limit: number): Promise<number>;
}

type DueRow = ClaimedDispatch & { readonly topic: DispatchTopic };

export function createOutboxRepository(database: Database): OutboxRepository {
  return {
    claimDue: (limit, claimMs, share) =>
      database.asSystem(async (tx) => {
        const rows = await tx.$queryRaw<(DueRow & { readonly heldBack: boolean })[]>`
          with due as (
            select id, tenant_id, topic, row_number() over (
              partition by tenant_id, topic = 'compaction.summarize' order by id
            ) as rank
            from outbox
            where sent_at is null and available_at <= clock_timestamp()
              and (claimed_until is null or claimed_until <= clock_timestamp())
          ), outstanding as (
            select c.tenant_id, count(*) as passes
            from compactions c
            join sessions s on s.tenant_id = c.tenant_id and s.id = c.session_id and c.seq = s.finished_seq + 1
            where c.status in ('accepted', 'dispatched', 'running')
              and c.tenant_id in (select tenant_id from due group by tenant_id)
              and (c.phase = 'secured'
                or not exists (select from outbox o where o.sent_at is null and o.aggregate_id = c.id))
            group by c.tenant_id
          ), allowed as (
            select d.id from due d left join outstanding o using (tenant_id)
            where d.topic = 'compaction.summarize' or d.rank + coalesce(o.passes, 0) <= ${share}::int
          ), claimed as (
            update outbox set claimed_until = clock_timestamp() + ${claimMs}::float8 * interval '1 ms'
            where id in (
              select id from outbox
              where id in (select id from allowed order by id limit ${limit}::int)
                and sent_at is null and (claimed_until is null or claimed_until <= clock_timestamp())
              for update skip locked
            )
            returning id as "outboxId", topic, aggregate_id::text as "compactionId",
              (payload->>'dispatch_no')::int as "dispatchNo"
          )
          select *, false as "heldBack" from claimed
          union all
          select null, null, null, null, true where (select count(*) from due) > (select count(*) from allowed)`;
        const claimed = rows.filter(({ heldBack }) => !heldBack).sort((a, b) => (a.outboxId < b.outboxId ? -1 : 1));
        return {
          claimed: claimed.map(({ heldBack: _, ...dispatch }) => dispatch),
          heldBack: claimed.length < rows.length,
        };
      }),

    countUnfinished: (tenantId, limit) =>
      database.asSystem(
        async (tx) => {
          const [row] = await tx.$queryRaw<{ passes: number }[]>`
            select count(*)::int as passes from (
              select from compactions
              where tenant_id = ${tenantId}::uuid and status in ('accepted', 'dispatched', 'running')
              limit ${limit}::int
            ) unfinished`;
          return row?.passes ?? 0;
        },
        { idempotent: true },
      ),

    markSent: (outboxIds) =>
      database.asSystem(
        async (tx) => {
          await tx.$executeRaw`
            update outbox set sent_at = clock_timestamp() where id = any(${[...outboxIds]}::bigint[]) and sent_at is null`;
        },
        { idempotent: true },
      ),

    markDispatched: (dispatches) =>
      database.asSystem(
        async (tx) => {
          for (const { topic, compactionId, dispatchNo } of dispatches) {
            await tx.$executeRaw`
              update outbox set sent_at = clock_timestamp()
              where sent_at is null and aggregate_id = ${compactionId}::uuid and topic = ${topic}
                and (payload->>'dispatch_no')::int = ${dispatchNo}::int`;
          }
        },
        { idempotent: true },
      ),

    deleteSent: (olderThanMs, limit) =>
      database.asSystem(
        (tx) => tx.$executeRaw`
          delete from outbox where id in (
            select id from outbox
            where sent_at < clock_timestamp() - ${olderThanMs}::float8 * interval '1 ms'
            order by sent_at limit ${limit}::int for update skip locked
          )`,
        { idempotent: true },
      ),
  };
}
