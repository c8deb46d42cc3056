import { createHash } from 'node:crypto';
import { type EffectDraft, mergeEffect, type StoredEffect } from '@holdfast/core';
import { inBatches } from '../batches';
import type { TenantTransaction } from '../database';
import { hexToBytes } from '../digest-bytes';
import { packJson } from '../packed-json';
import type { Fence } from '../passes/fence';
import { storedText } from '../text';
import { newId } from '../uuid';
import { signalKnown, signalUnknown } from '../gate/outcome-signals';
import { storedEffect } from './read-session';

const BATCH_ROWS = 2_000;

/** An effect as it is to stand in the ledger after this batch. */
interface Ledgered {
  readonly id: string;
  readonly no: bigint;
  readonly effect: EffectDraft;
}

/**
 * Appends effects that the ledger does not have, by occurrence, and moves on the status of those it has. Every new look
 * at an effect becomes an attempt row; the same look again is nothing.
 */
export async function writeEffects(tx: TenantTransaction, fence: Fence, drafts: readonly EffectDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  const { tenantId, sessionId } = fence;
  const known = await readKnown(tx, fence, drafts);
  const session = await tx.session.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: sessionId } },
    select: { nextEffectNo: true },
  });
  let no = session.nextEffectNo;
  const fresh = new Map<string, Ledgered>();
  const moved = new Map<string, Ledgered>();
  for (const draft of drafts) {
    const before =
      fresh.get(draft.occurrence) ??
      moved.get(draft.occurrence) ??
      known.get(draft.occurrence) ??
      (draft.claim === undefined ? undefined : known.get(draft.claim));
    if (before === undefined) {
      fresh.set(draft.occurrence, { id: newId(), no, effect: draft });
      no += 1n;
      continue;
    }
    const { occurrence } = draft;
    const merged = { ...mergeEffect(before.effect, draft), occurrence };
    const isSeen = before.effect.occurrence === occurrence;
    const isSame = lookOf(merged) === lookOf(before.effect) && merged.idempotencyKey === before.effect.idempotencyKey;
    if (isSeen && isSame) continue;
    (fresh.has(draft.occurrence) ? fresh : moved).set(draft.occurrence, { ...before, effect: merged });
  }
  for (const batch of inBatches([...fresh.values()], BATCH_ROWS)) await insertEffects(tx, fence, batch);
  for (const batch of inBatches([...moved.values()], BATCH_ROWS)) await updateEffects(tx, fence, batch);
  for (const batch of inBatches([...fresh.values(), ...moved.values()], BATCH_ROWS))
    await appendAttempts(tx, fence, batch);
  await signalOutcomes(tx, tenantId, [...fresh.values(), ...moved.values()], known);
  if (fresh.size > 0) {
    await tx.session.update({ where: { tenantId_id: { tenantId, id: sessionId } }, data: { nextEffectNo: no } });
  }
}

async function readKnown(
  tx: TenantTransaction,
  { tenantId, sessionId }: Fence,
  drafts: readonly EffectDraft[],
): Promise<ReadonlyMap<string, Ledgered>> {
  const known = new Map<string, Ledgered>();
  for (const batch of inBatches(drafts, BATCH_ROWS)) {
    const occurrences = batch.map((draft) => storedText(draft.occurrence));
    const claims = batch.flatMap(({ claim }) => (claim === undefined ? [] : [storedText(claim)]));
    const OR = [{ occurrence: { in: [...occurrences, ...claims] } }, { observedAs: { in: occurrences } }];
    for (const row of await tx.effect.findMany({ where: { tenantId, sessionId, OR } })) {
      const { ref: _, ...effect }: StoredEffect = await storedEffect(row);
      known.set(effect.occurrence, { id: row.id, no: row.no, effect });
    }
  }
  return known;
}

/** What one look at an effect showed; equal looks are one attempt. */
function lookOf({ status, statusRaw, evidence, kept }: EffectDraft): string {
  return JSON.stringify([status, statusRaw ?? null, evidence, kept]);
}

async function packedColumns(
  batch: readonly Ledgered[],
): Promise<{ readonly evidence: Uint8Array[]; readonly kept: Uint8Array[] }> {
  const evidence: Uint8Array[] = [];
  const kept: Uint8Array[] = [];
  for (const { effect } of batch) {
    evidence.push(await packJson(effect.evidence));
    kept.push(await packJson(effect.kept));
  }
  return { evidence, kept };
}

const optional = (text: string | undefined): string | null => (text === undefined ? null : storedText(text));

async function insertEffects(tx: TenantTransaction, fence: Fence, batch: readonly Ledgered[]): Promise<void> {
  const { evidence, kept } = await packedColumns(batch);
  await tx.$executeRaw`
    insert into effects (tenant_id, session_id, agent_id, id, no, action, target, kind, idempotency_key, key_source, occurrence,
      arguments_digest, status, status_raw, evidence, kept_values)
    select s.tenant_id, s.id, s.agent_id, e.*
    from sessions s, unnest(
      ${batch.map(({ id }) => id)}::uuid[],
      ${batch.map(({ no }) => no)}::bigint[],
      ${batch.map(({ effect }) => storedText(effect.action))}::text[],
      ${batch.map(({ effect }) => storedText(effect.target))}::text[],
      ${batch.map(({ effect }) => effect.kind)}::text[],
      ${batch.map(({ effect }) => optional(effect.idempotencyKey))}::text[],
      ${batch.map(({ effect }) => effect.keySource)}::text[],
      ${batch.map(({ effect }) => storedText(effect.occurrence))}::text[],
      ${batch.map(({ effect }) => hexToBytes(effect.argumentsDigest))}::bytea[],
      ${batch.map(({ effect }) => effect.status)}::text[],
      ${batch.map(({ effect }) => optional(effect.statusRaw))}::text[],
      ${evidence}::bytea[],
      ${kept}::bytea[]
    ) as e
    where s.tenant_id = ${fence.tenantId}::uuid and s.id = ${fence.sessionId}::uuid`;
}

async function updateEffects(tx: TenantTransaction, fence: Fence, batch: readonly Ledgered[]): Promise<void> {
  const { evidence, kept } = await packedColumns(batch);
  await tx.$executeRaw`
    update effects set status = e.status, status_raw = e.status_raw, evidence = e.evidence,
      kept_values = e.kept_values, idempotency_key = e.idempotency_key, key_source = e.key_source,
      observed_as = case
        when effects.occurrence = e.occurrence then effects.observed_as
        else coalesce(effects.observed_as, e.occurrence)
      end
    from unnest(
      ${batch.map(({ id }) => id)}::uuid[],
      ${batch.map(({ effect }) => effect.status)}::text[],
      ${batch.map(({ effect }) => optional(effect.statusRaw))}::text[],
      ${evidence}::bytea[],
      ${kept}::bytea[],
      ${batch.map(({ effect }) => optional(effect.idempotencyKey))}::text[],
      ${batch.map(({ effect }) => effect.keySource)}::text[],
      ${batch.map(({ effect }) => storedText(effect.occurrence))}::text[]
    ) as e (id, status, status_raw, evidence, kept_values, idempotency_key, key_source, occurrence)
    where effects.tenant_id = ${fence.tenantId}::uuid and effects.id = e.id`;
}

async function appendAttempts(tx: TenantTransaction, fence: Fence, batch: readonly Ledgered[]): Promise<void> {
  const { evidence } = await packedColumns(batch);
  const observations = batch.map(({ effect }) => createHash('sha256').update(lookOf(effect)).digest('hex'));
  await tx.$executeRaw`
    insert into effect_attempts (tenant_id, compaction_id, source, id, effect_id, observation, status, status_raw, evidence)
    select ${fence.tenantId}::uuid, ${fence.compactionId}::uuid, 'observed', a.*
    from unnest(
      ${batch.map(() => newId())}::uuid[],
      ${batch.map(({ id }) => id)}::uuid[],
      ${observations}::text[],
      ${batch.map(({ effect }) => effect.status)}::text[],
      ${batch.map(({ effect }) => optional(effect.statusRaw))}::text[],
      ${evidence}::bytea[]
    ) as a
    on conflict do nothing`;
}

/** Of effects with a key: whose end nobody knows as of this look, and whose end is known now. */
async function signalOutcomes(
  tx: TenantTransaction,
  tenantId: string,
  seen: readonly Ledgered[],
  known: ReadonlyMap<string, Ledgered>,
): Promise<void> {
  const before = new Map([...known.values()].map(({ id, effect }) => [id, effect.status]));
  const turned = seen.filter(
    ({ id, effect }) =>
      effect.idempotencyKey !== undefined && (effect.status === 'unknown') !== (before.get(id) === 'unknown'),
  );
  for (const { id } of turned) {
    const row = await tx.effect.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
    await (row.status === 'unknown' ? signalUnknown : signalKnown)(tx, tenantId, row);
  }
}
