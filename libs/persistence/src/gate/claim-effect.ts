import { type AnsweredClaim, describeClaim, type EffectStatus, maskOfCall, type ToolContracts } from '@holdfast/core';
import { writeSignal } from '../alerts/write-signal';
import type { TenantTransaction } from '../database';
import { bytesToHex, hexToBytes } from '../digest-bytes';
import { type Prisma, type Effect } from '../generated/client';
import { fromJsonColumn } from '../json-column';
import { packJson } from '../packed-json';
import { PersistenceError } from '../persistence-error';
import { storedText } from '../text';
import { newId } from '../uuid';
import { appendAttempt, leaveUnknown } from './effect-rows';
import type { ClaimInput } from './claim-input';
import { type ClaimPlace, lookAtKey } from './look-at-key';
import { type KeyPlace, lockKey, takeLease } from './register';

/** What a claim came to. */
export interface ClaimedEffect extends AnsweredClaim {
  readonly kind: 'answered';
  /** The ledger's row that stands for the call; undefined for a call that only reads. */
  readonly effect: Effect | undefined;
  /** Whether claims of its key exclude each other. */
  readonly gated: boolean;
  /** Until when the holder may settle it as its own; undefined where nobody holds it. */
  readonly leaseUntil: Date | undefined;
  /** The session of the claim. */
  readonly sessionId?: string;
}

/** The attempt stands for another call, or was settled: a new try needs an id of its own. */
export interface AttemptReused {
  readonly kind: 'attempt_reused';
  readonly reason: string;
}

/**
 * Claims an effect inside of the caller's transaction. The key is locked first and the session's row after it; nothing
 * else takes both, so nobody waits in a ring.
 */
export async function claimEffect(
  tx: TenantTransaction,
  tenantId: string,
  input: ClaimInput,
): Promise<ClaimedEffect | AttemptReused | undefined> {
  const known = await readContext(tx, tenantId, input);
  if (known === undefined) return undefined;
  const { contracts, sealKey } = known;
  const described = describeClaim(contracts, input.call);
  if (described.kind === 'read') {
    const reason = `${described.evidence}: there is nothing to claim`;
    return { kind: 'answered', answer: 'proceed', reason, effect: undefined, gated: false, leaseUntil: undefined };
  }
  const mask = maskOfCall(sealKey, contracts, input.call);
  const masked = { ...described, action: mask(described.action), target: mask(described.target) };
  const sessionId = known.sessionId ?? (await makeSession(tx, tenantId, input));
  const place: ClaimPlace = { tenantId, sessionId, input, described: masked };
  return masked.gated && masked.key !== undefined ? claimKey(tx, place, masked.key) : record(tx, place);
}

interface Context {
  readonly contracts: ToolContracts;
  readonly sealKey: Uint8Array;
  readonly sessionId: string | null;
}

/** What a claim is judged by, in one look; undefined when the tenant has no such agent. */
async function readContext(
  tx: TenantTransaction,
  tenantId: string,
  { agentId, session }: ClaimInput,
): Promise<Context | undefined> {
  const [row] = await tx.$queryRaw<{ contracts: Prisma.JsonValue; sealKey: Uint8Array; sessionId: string | null }[]>`
    select p.tool_contracts as contracts, t.seal_key as "sealKey", s.id::text as "sessionId"
    from agents a
    join agent_policies p on p.tenant_id = a.tenant_id and p.agent_id = a.id and p.version = a.policy_version
    join tenants t on t.id = a.tenant_id
    left join sessions s on s.tenant_id = a.tenant_id and s.agent_id = a.id and s.external_id = ${storedText(session)}
    where a.tenant_id = ${tenantId}::uuid and a.id = ${agentId}`;
  if (row === undefined) return undefined;
  return { ...row, contracts: fromJsonColumn(row.contracts) as ToolContracts };
}

/** An effect may be claimed before the first window comes. */
async function makeSession(tx: TenantTransaction, tenantId: string, { agentId, session }: ClaimInput): Promise<string> {
  const externalId = storedText(session);
  const where = { tenantId_agentId_externalId: { tenantId, agentId, externalId } };
  await tx.$executeRaw`
    insert into sessions (tenant_id, id, agent_id, external_id)
    values (${tenantId}::uuid, ${newId()}::uuid, ${agentId}, ${externalId})
    on conflict (tenant_id, agent_id, external_id) do nothing`;
  return (await tx.session.findUniqueOrThrow({ where, select: { id: true } })).id;
}

/** An effect that is recorded and never blocked. */
async function record(tx: TenantTransaction, place: ClaimPlace): Promise<ClaimedEffect | AttemptReused> {
  const answered: AnsweredClaim = { answer: 'proceed', reason: place.described.evidence };
  const before = await effectOfAttempt(tx, place);
  if (before !== undefined && !isSameCall(before, place)) return reused('the attempt stands for another call');
  const effect = before ?? (await ledger(tx, place));
  if (before === undefined) await appendAnswer(tx, place, effect, answered);
  return { kind: 'answered', ...answered, effect, gated: false, leaseUntil: undefined, sessionId: place.sessionId };
}

async function claimKey(tx: TenantTransaction, place: ClaimPlace, key: string): Promise<ClaimedEffect | AttemptReused> {
  const { tenantId, sessionId, input, described } = place;
  const scope = described.scope === 'agent' ? `agent:${input.agentId}` : `session:${sessionId}`;
  const keyPlace: KeyPlace = { tenantId, scope, key: storedText(key), repeatLabel: storedText(input.repeatLabel) };
  let looked = await lookAtKey(tx, place, keyPlace);
  // An answer that lets nobody fire, and moves nothing, needs no turn of its own.
  if (looked.answered.answer === 'proceed' || looked.answered.answer === 'reconcile') {
    await lockKey(tx, keyPlace);
    looked = await lookAtKey(tx, place, keyPlace);
  }
  const { answered, before, effect, lease, isHeld } = looked;
  if (before !== undefined && !isSameCall(before, place)) return reused('the attempt stands for another call');
  if (answered.answer === 'proceed' && isHeld)
    return { kind: 'answered', ...answered, effect, gated: true, leaseUntil: lease?.leaseUntil, sessionId };
  if (answered.answer === 'proceed') {
    if (before !== undefined) return reused(`the attempt was settled as ${before.status}`);
    const started = await ledger(tx, place);
    const taker = { effect: started, attemptId: storedText(input.attemptId), leaseMs: input.leaseMs };
    const leaseUntil = await takeLease(tx, keyPlace, taker);
    await appendAnswer(tx, place, started, answered);
    return { kind: 'answered', ...answered, effect: started, gated: true, leaseUntil, sessionId };
  }
  if (effect === undefined) throw new TypeError('a key without an effect is free');
  const standing = answered.answer === 'reconcile' ? await leaveUnknown(tx, tenantId, effect) : effect;
  if (await appendAnswer(tx, place, standing, answered)) await oweBlocked(tx, place, standing, answered);
  const leaseUntil = isHeld ? lease?.leaseUntil : undefined;
  return { kind: 'answered', ...answered, effect: standing, gated: true, leaseUntil, sessionId };
}

/** The effect that this attempt was told to fire before. */
async function effectOfAttempt(tx: TenantTransaction, { tenantId, input }: ClaimPlace): Promise<Effect | undefined> {
  const row = await tx.effectAttempt.findFirst({
    where: { tenantId, agentId: input.agentId, attemptId: storedText(input.attemptId), answer: 'proceed' },
    select: { effect: true },
  });
  return row?.effect;
}

function isSameCall(effect: Effect, { sessionId, input, described }: ClaimPlace): boolean {
  return (
    effect.sessionId === sessionId &&
    effect.action === storedText(described.action) &&
    bytesToHex(effect.argumentsDigest) === described.argumentsDigest &&
    (effect.repeatLabel ?? '') === storedText(input.repeatLabel)
  );
}

function reused(reason: string): AttemptReused {
  return { kind: 'attempt_reused', reason };
}

/** Writes the effect down as intended, before anybody fires it. */
async function ledger(tx: TenantTransaction, { tenantId, sessionId, input, described }: ClaimPlace): Promise<Effect> {
  const [counted] = await tx.$queryRaw<{ no: bigint }[]>`
    update sessions set next_effect_no = next_effect_no + 1
    where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid returning next_effect_no - 1 as no`;
  if (counted === undefined) throw new PersistenceError('STORE_CONFLICT', `This tenant has no session ${sessionId}`);
  const id = newId();
  return tx.effect.create({
    data: {
      ...{ tenantId, id, sessionId, agentId: input.agentId, no: counted.no, occurrence: `claim:${id}` },
      ...{ action: storedText(described.action), target: storedText(described.target), kind: described.effectKind },
      idempotencyKey: described.key === undefined ? null : storedText(described.key),
      ...{ keySource: described.keySource, status: 'intended', attemptId: storedText(input.attemptId) },
      repeatLabel: input.repeatLabel === '' ? null : storedText(input.repeatLabel),
      argumentsDigest: hexToBytes(described.argumentsDigest),
      evidence: await packJson('claimed; nobody has said yet how it ended'),
      keptValues: await packJson([]),
    },
  });
}

async function appendAnswer(
  tx: TenantTransaction,
  { tenantId, input }: ClaimPlace,
  effect: Effect,
  { answer, reason }: AnsweredClaim,
): Promise<boolean> {
  return appendAttempt(tx, tenantId, {
    ...{ effectId: effect.id, agentId: input.agentId, source: 'claimed', answer, reason, attemptId: input.attemptId },
    observation: `claim ${input.attemptId} ${answer}`,
    status: effect.status as EffectStatus,
  });
}

/** What the gate kept an agent from doing is counted; one key for two different things is looked at. */
async function oweBlocked(
  tx: TenantTransaction,
  { tenantId, input }: ClaimPlace,
  effect: Effect,
  { answer }: AnsweredClaim,
): Promise<void> {
  if (answer !== 'duplicate' && answer !== 'conflict') return;
  const type = answer === 'duplicate' ? 'effect.duplicate_blocked' : 'effect.conflict';
  const detail = { effect: `E${effect.no}`, session_id: effect.sessionId, tool: effect.action, status: effect.status };
  await writeSignal(tx, tenantId, { type, agentId: input.agentId, subject: effect.id, detail });
}
