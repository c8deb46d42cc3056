import type { TenantTransaction } from '../database';

/** Job kinds that the outbox speaks of. */
export type DispatchTopic = 'compaction.secure' | 'compaction.summarize';

/** A job as the queue is to be told. `dispatchNo` counts the dispatches of one compaction, from 1. */
export interface Dispatch {
  readonly topic: DispatchTopic;
  readonly compactionId: string;
  readonly dispatchNo: number;
}

/** The writer sends the job itself right after its commit; the relay steps in when that did not work. */
const RELAY_GRACE_MS = 1_000;
/** A job that nobody claimed for this long is taken for lost; doubles with every dispatch, up to the longest. */
export const REDISPATCH_AFTER_MS = 10_000;
export const LONGEST_REDISPATCH_MS = 300_000;

/** Writes the outbox row that makes a compaction's next job due, in the transaction that makes it true. */
export async function writeDispatch(
  tx: Pick<TenantTransaction, '$queryRaw'>,
  tenantId: string,
  compactionId: string,
  topic: DispatchTopic,
): Promise<Dispatch> {
  const [row] = await tx.$queryRaw<{ dispatchNo: number }[]>`
    update compactions set dispatch_no = dispatch_no + 1,
      next_dispatch_at = clock_timestamp()
        + least(${REDISPATCH_AFTER_MS}::float8 * power(2, dispatch_no), ${LONGEST_REDISPATCH_MS}::float8) * interval '1 ms'
    where tenant_id = ${tenantId}::uuid and id = ${compactionId}::uuid
    returning dispatch_no as "dispatchNo"`;
  const dispatchNo = row?.dispatchNo ?? 1;
  await tx.$queryRaw`
    insert into outbox (tenant_id, topic, aggregate_id, payload, available_at)
    values (${tenantId}::uuid, ${topic}, ${compactionId}::uuid,
      jsonb_build_object('v', 1, 'id', ${compactionId}::text, 'dispatch_no', ${dispatchNo}::int),
      clock_timestamp() + ${RELAY_GRACE_MS}::float8 * interval '1 ms')
    returning id`;
  return { topic, compactionId, dispatchNo };
}
