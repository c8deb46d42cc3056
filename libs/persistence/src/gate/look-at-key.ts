import { answerClaim, type AnsweredClaim, type ClaimDescription, type EffectStatus } from '@holdfast/core';
import { bytesToHex } from '../digest-bytes';
import { Prisma, type Effect } from '../generated/client';
import { storedText } from '../text';
import type { TenantTransaction } from '../transaction';
import type { ClaimInput } from './claim-input';
import type { KeyPlace, Lease } from './register';

/** A claim with what its contract says of it. */
export interface ClaimPlace {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly input: ClaimInput;
  readonly described: Extract<ClaimDescription, { kind: 'effect' }>;
}

export interface LookedAtKey {
  readonly answered: AnsweredClaim;
  /** The effect that this attempt was told to fire before. */
  readonly before: Effect | undefined;
  /** The effect that stands for the key. */
  readonly effect: Effect | undefined;
  readonly lease: Lease | undefined;
  readonly isHeld: boolean;
}

/**
 * What stands for a key now, and the answer to that. Of its effects, claimed or seen in a window, one that succeeded goes
 * before one that is open, an open one before one that was not applied, and of equal ones the newest.
 */
export async function lookAtKey(
  tx: TenantTransaction,
  place: ClaimPlace,
  { scope, key, repeatLabel }: KeyPlace,
): Promise<LookedAtKey> {
  const { tenantId, sessionId, input, described } = place;
  const attemptId = storedText(input.attemptId);
  const within =
    described.scope === 'agent' ? Prisma.sql`agent_id = ${input.agentId}` : Prisma.sql`session_id = ${sessionId}::uuid`;
  const [row] = await tx.$queryRaw<
    {
      standingId: string | null;
      beforeId: string | null;
      leaseEffectId: string | null;
      attemptId: string;
      leased: boolean;
      leaseUntil: Date;
      lives: boolean;
    }[]
  >`
    select
      (select id::text from effects
        where tenant_id = ${tenantId}::uuid and ${within} and idempotency_key = ${key}
          and action = ${storedText(described.action)} and coalesce(repeat_label, '') = ${repeatLabel}
        order by status = 'succeeded' desc, status not in ('failed', 'declined') desc, id desc limit 1) as "standingId",
      (select effect_id::text from effect_attempts
        where tenant_id = ${tenantId}::uuid and agent_id = ${input.agentId} and attempt_id = ${attemptId}
          and answer = 'proceed' limit 1) as "beforeId",
      k.effect_id::text as "leaseEffectId", k.attempt_id as "attemptId", k.leased, k.lease_until as "leaseUntil",
      k.lease_until > clock_timestamp() as lives
    from (select 1) as one
    left join effect_keys k on k.tenant_id = ${tenantId}::uuid and k.scope = ${scope} and k.key = ${key}
      and k.repeat_label = ${repeatLabel}`;
  if (row === undefined) throw new TypeError('a left join answers with a row');
  const ids = [row.standingId, row.beforeId].flatMap((id) => id ?? []);
  const rows = ids.length === 0 ? [] : await tx.effect.findMany({ where: { tenantId, id: { in: ids } } });
  const effect = rows.find(({ id }) => id === row.standingId);
  const before = rows.find(({ id }) => id === row.beforeId);
  const { leaseEffectId, leased, leaseUntil, lives } = row;
  const lease: Lease | undefined =
    leaseEffectId === null
      ? undefined
      : { effectId: leaseEffectId, attemptId: row.attemptId, leased, leaseUntil, lives };
  const isHeld = lease !== undefined && lease.effectId === effect?.id && lease.leased && lease.lives;
  const answered = answerClaim(attemptId, known(effect, lease, isHeld, place));
  return { answered, before, effect, lease, isHeld };
}

function known(
  effect: Effect | undefined,
  lease: Lease | undefined,
  isHeld: boolean,
  { described }: ClaimPlace,
): Parameters<typeof answerClaim>[1] {
  if (effect === undefined) return undefined;
  const sameParameters =
    described.keySource === 'declared'
      ? effect.action === storedText(described.action) && effect.target === storedText(described.target)
      : bytesToHex(effect.argumentsDigest) === described.argumentsDigest;
  const attemptId = lease?.effectId === effect.id ? lease.attemptId : undefined;
  return { status: effect.status as EffectStatus, sameParameters, attemptId, leaseLives: isHeld };
}
