import type { TenantTransaction } from '../database';
import type { Effect } from '../generated/client';

/** A key within its scope: what claims exclude each other by. */
export interface KeyPlace {
  readonly tenantId: string;
  /** `session:` and its id, or `agent:` and its name. */
  readonly scope: string;
  readonly key: string;
  /** Empty for the first one. */
  readonly repeatLabel: string;
}

/** Who holds a key, or held it last. */
export interface Lease {
  readonly effectId: string;
  readonly attemptId: string;
  /** Until it is settled or found to have run out. */
  readonly leased: boolean;
  readonly leaseUntil: Date;
  /** By the clock of the database. */
  readonly lives: boolean;
}

/**
 * Claims of one key that may fire take their turns, also the first ones, which find no row to lock. Settling and expiring
 * lock the row, so it is locked here, too, where there is one.
 */
export async function lockKey(tx: TenantTransaction, place: KeyPlace): Promise<void> {
  const { tenantId, scope, key, repeatLabel } = place;
  const name = JSON.stringify(['holdfast effect', tenantId, scope, key, repeatLabel]);
  await tx.$queryRaw`select 1 as locked from pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  await tx.$queryRaw`
    select 1 as locked from effect_keys
    where tenant_id = ${tenantId}::uuid and scope = ${scope} and key = ${key} and repeat_label = ${repeatLabel}
    for update`;
}

/** The lease of an effect, locked; undefined for one that the gate does not guard. */
export async function lockLease(tx: TenantTransaction, tenantId: string, effectId: string): Promise<Lease | undefined> {
  const [row] = await tx.$queryRaw<Lease[]>`
    select effect_id::text as "effectId", attempt_id as "attemptId", leased, lease_until as "leaseUntil",
      lease_until > clock_timestamp() as lives
    from effect_keys where tenant_id = ${tenantId}::uuid and effect_id = ${effectId}::uuid
    for update`;
  return row;
}

/** Gives the key to an attempt. Answers until when. */
export async function takeLease(
  tx: TenantTransaction,
  place: KeyPlace,
  taker: { readonly effect: Effect; readonly attemptId: string; readonly leaseMs: number },
): Promise<Date> {
  const { tenantId, scope, key, repeatLabel } = place;
  const { effect, attemptId, leaseMs } = taker;
  const [row] = await tx.$queryRaw<{ leaseUntil: Date }[]>`
    insert into effect_keys
      (tenant_id, scope, key, repeat_label, agent_id, effect_id, arguments_digest, attempt_id, lease_until)
    values (${tenantId}::uuid, ${scope}, ${key}, ${repeatLabel}, ${effect.agentId}, ${effect.id}::uuid,
      ${effect.argumentsDigest}, ${attemptId}, clock_timestamp() + ${leaseMs}::float8 * interval '1 ms')
    on conflict (tenant_id, scope, key, repeat_label) do update set
      effect_id = excluded.effect_id, arguments_digest = excluded.arguments_digest, attempt_id = excluded.attempt_id,
      agent_id = excluded.agent_id, lease_until = excluded.lease_until, leased = true,
      proceeds = effect_keys.proceeds + 1
    returning lease_until as "leaseUntil"`;
  if (row === undefined) throw new TypeError('an upsert answers with its row');
  return row.leaseUntil;
}

/** Nobody holds the effect any more: it was settled, or its lease ran out. */
export async function endLease(tx: TenantTransaction, tenantId: string, effectId: string): Promise<void> {
  await tx.effectKey.updateMany({ where: { tenantId, effectId, leased: true }, data: { leased: false } });
}
