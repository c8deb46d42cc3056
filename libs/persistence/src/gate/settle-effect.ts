import {
  type EffectStatus,
  isClosedStatus,
  keptValues,
  maskOfCall,
  resultText,
  type ToolContracts,
} from '@holdfast/core';
import { createHash } from 'node:crypto';
import { writeSignal } from '../alerts/write-signal';
import type { TenantTransaction } from '../database';
import { recordIncidents } from '../drift/record-incidents';
import type { Effect } from '../generated/client';
import { type EncodedOriginal, storeOriginals } from '../originals';
import { packJson } from '../packed-json';
import { loadSealKey } from '../tenants/tenant-repository';
import { originalText, storedText } from '../text';
import { type AttemptSource, appendAttempt } from './effect-rows';
import { signalKnown, signalUnknown } from './outcome-signals';
import { endLease, type Lease, lockLease } from './register';

export interface SettleInput {
  readonly effectId: string;
  /** Who settles: the attempt that was told to proceed, or undefined for somebody who looked at the target. */
  readonly attemptId: string | undefined;
  readonly status: Extract<EffectStatus, 'fired' | 'succeeded' | 'failed' | 'declined' | 'unknown'>;
  /** The caller's own word for the status. */
  readonly statusRaw: string | undefined;
  /** What it rests on, in words; masked before it is stored. */
  readonly evidence: string | undefined;
  /** What the effect answered, as JSON text. */
  readonly result: string | undefined;
  /** Agents that the caller may act for; empty: all. */
  readonly agentIds: readonly string[];
}

export type Settled =
  | {
      readonly kind: 'settled';
      readonly effect: Effect;
      /** It came after the lease had run out, or after somebody else had decided. */
      readonly late: boolean;
      /** Whether the ledger says now what was settled. */
      readonly applied: boolean;
    }
  | { readonly kind: 'unknown' }
  /** The attempt was never told to proceed with this effect. */
  | { readonly kind: 'attempt_unknown' }
  /** Its holder may still be at it: only its own attempt settles it now. */
  | { readonly kind: 'in_flight'; readonly leaseUntil: Date }
  /** It was closed otherwise, and closed effects do not change. */
  | { readonly kind: 'closed'; readonly effect: Effect };

/**
 * Settles an effect: as its own attempt, late or in time, or as somebody who looked at the target (`reconcile`). A late
 * word is evidence: it closes an effect whose outcome is unknown, and where somebody decided otherwise it is kept beside
 * that decision and raised as an incident.
 */
export async function settleEffect(
  tx: TenantTransaction,
  tenantId: string,
  contractsOf: (agentId: string) => Promise<ToolContracts>,
  input: SettleInput,
  original: EncodedOriginal | undefined,
): Promise<Settled> {
  const lease = await lockLease(tx, tenantId, input.effectId);
  const effect = await lockEffect(tx, tenantId, input);
  if (effect === undefined) return { kind: 'unknown' };
  const isHeld = lease?.leased === true && lease.lives;
  if (input.attemptId === undefined) {
    if (isHeld && !isClosedStatus(effect.status as EffectStatus))
      return { kind: 'in_flight', leaseUntil: lease.leaseUntil };
    if (isClosedStatus(effect.status as EffectStatus) && effect.status !== input.status)
      return { kind: 'closed', effect };
  } else if (effect.attemptId !== storedText(input.attemptId)) return { kind: 'attempt_unknown' };
  const place = { effect, lease, isHeld };
  return write(tx, tenantId, await contractsOf(effect.agentId), input, original, place);
}

async function lockEffect(
  tx: TenantTransaction,
  tenantId: string,
  { effectId, agentIds }: SettleInput,
): Promise<Effect | undefined> {
  await tx.$queryRaw`
    select 1 as locked from effects where tenant_id = ${tenantId}::uuid and id = ${effectId}::uuid for no key update`;
  const effect = await tx.effect.findUnique({ where: { tenantId_id: { tenantId, id: effectId } } });
  return effect === null || (agentIds.length > 0 && !agentIds.includes(effect.agentId)) ? undefined : effect;
}

async function write(
  tx: TenantTransaction,
  tenantId: string,
  contracts: ToolContracts,
  input: SettleInput,
  original: EncodedOriginal | undefined,
  { effect, lease, isHeld }: { readonly effect: Effect; readonly lease: Lease | undefined; readonly isHeld: boolean },
): Promise<Settled> {
  const { status } = input;
  const words = await wordsOf(tx, tenantId, contracts, input, effect);
  const before = effect.status as EffectStatus;
  const wasClosed = isClosedStatus(before);
  const late = input.attemptId !== undefined && (wasClosed || (lease !== undefined && !isHeld));
  const source: AttemptSource = input.attemptId === undefined ? 'reconciled' : 'settled';
  const digest = createHash('sha256')
    .update(JSON.stringify([status, words]))
    .digest('hex');
  const isNew = await appendAttempt(tx, tenantId, {
    ...{ effectId: effect.id, agentId: effect.agentId, source, status, late, evidence: words.evidence },
    ...{
      attemptId: input.attemptId,
      statusRaw: words.statusRaw,
      observation: `${source} ${input.attemptId ?? ''} ${digest}`,
    },
  });
  // An open word about an open effect is news; one about a closed effect is not.
  if (wasClosed) {
    if (isNew && before !== status && isClosedStatus(status)) await oweDifference(tx, tenantId, effect, status, words);
    return { kind: 'settled', effect, late, applied: before === status };
  }
  if (original !== undefined) await storeOriginals(tx, tenantId, [original]);
  if (status !== 'fired') await endLease(tx, tenantId, effect.id);
  const settled = await tx.effect.update({
    where: { tenantId_id: { tenantId, id: effect.id } },
    data: {
      ...{ status, statusRaw: words.statusRaw === undefined ? null : storedText(words.statusRaw) },
      evidence: await packJson(words.evidence),
      ...(original === undefined ? {} : { resultSha256: original.sha256, keptValues: await packJson(words.kept) }),
    },
  });
  if (status === 'unknown' && before !== 'unknown') await signalUnknown(tx, tenantId, settled);
  if (before === 'unknown' && isClosedStatus(status)) await signalKnown(tx, tenantId, settled);
  return { kind: 'settled', effect: settled, late, applied: true };
}

interface Words {
  readonly evidence: string;
  readonly statusRaw: string | undefined;
  readonly kept: readonly string[];
}

/** What is stored of a caller's words, without secrets. */
async function wordsOf(
  tx: TenantTransaction,
  tenantId: string,
  contracts: ToolContracts,
  { attemptId, status, statusRaw, evidence, result }: SettleInput,
  effect: Effect,
): Promise<Words> {
  const action = originalText(effect.action);
  const call = { tool: action, argumentsText: '{}', args: undefined };
  const mask = maskOfCall(await loadSealKey(tx, tenantId), contracts, call, result);
  const contract = Object.hasOwn(contracts, action) ? contracts[action] : undefined;
  const by = attemptId === undefined ? 'somebody who looked at the target' : 'its caller';
  const said = evidence === undefined ? '' : `: ${JSON.stringify(evidence)}`;
  return {
    evidence: mask(`${by} says ${status}${said}`),
    statusRaw: statusRaw === undefined ? undefined : mask(statusRaw),
    kept: result === undefined ? [] : keptValues(contract, resultText(result, undefined)).map(mask),
  };
}

/** A late word against a decision: the ledger stands, and somebody has to look. */
async function oweDifference(
  tx: TenantTransaction,
  tenantId: string,
  effect: Effect,
  status: EffectStatus,
  { evidence }: Words,
): Promise<void> {
  const { id, no, agentId, sessionId } = effect;
  const message = `E${no} ${originalText(effect.action)} ${originalText(effect.target)} stands as ${effect.status}; its own attempt says ${status}: look at the target`;
  await recordIncidents(tx, { tenantId, agentId, sessionId, compactionId: null }, [
    {
      ...{ kind: 'effect_status_changed', severity: 'error', subject: `E${no}`, path: '', message },
      ...{ expected: effect.status, observed: `${status}: ${evidence}` },
    },
  ]);
  const detail = { effect: `E${no}`, session_id: sessionId, tool: effect.action, ledger: effect.status, says: status };
  await writeSignal(tx, tenantId, { type: 'effect.outcome_disputed', agentId, subject: id, detail });
}
