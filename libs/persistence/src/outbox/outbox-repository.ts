import type { Database } from '../database';
import type { Dispatch, DispatchTopic } from './write-dispatch';

/** A dispatch that this process is to send; nobody else sends it before the claim runs out. */
export interface ClaimedDispatch extends Dispatch {
  readonly outboxId: bigint;
}

/** What the queue has still to be told. Claim, send, mark: no lock is held across a send. */
export interface OutboxRepository {
  /** Due rows, oldest first, claimed for `claimMs`. */
  claimDue(limit: number, claimMs: number): Promise<readonly ClaimedDispatch[]>;
  markSent(outboxIds: readonly bigint[]): Promise<void>;
  /** Marks dispatches that their writer sent itself, so that the relay need not. */
  markDispatched(dispatches: readonly Dispatch[]): Promise<void>;
  /** Removes rows that were sent longer ago than this; at most `limit` at once. Answers how many. */
  deleteSent(olderThanMs: number, limit: number): Promise<number>;
}

export function createOutboxRepository(database: Database): OutboxRepository {
  return {
    claimDue: (limit, claimMs) =>
      database.asSystem(async (tx) => {
        const rows = await tx.$queryRaw<
          { outboxId: bigint; topic: DispatchTopic; compactionId: string; dispatchNo: number }[]
        >`
          update outbox set claimed_until = clock_timestamp() + ${claimMs}::float8 * interval '1 ms'
          where id in (
            select id from outbox
            where sent_at is null and available_at <= clock_timestamp()
              and (claimed_until is null or claimed_until <= clock_timestamp())
            order by id limit ${limit}::int for update skip locked
          )
          returning id as "outboxId", topic, aggregate_id::text as "compactionId",
            (payload->>'dispatch_no')::int as "dispatchNo"`;
        return rows.sort((a, b) => (a.outboxId < b.outboxId ? -1 : 1));
      }),

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
