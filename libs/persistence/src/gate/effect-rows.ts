import type { EffectStatus } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import type { Effect } from '../generated/client';
import { packJson } from '../packed-json';
import { originalText, storedText } from '../text';
import { newId } from '../uuid';
import { signalUnknown } from './outcome-signals';
import { endLease } from './register';

/** How an attempt row came to be. */
export type AttemptSource = 'claimed' | 'settled' | 'expired' | 'reconciled';

export interface NewAttempt {
  readonly effectId: string;
  readonly agentId: string;
  readonly source: AttemptSource;
  /** The same observation again is the same row. */
  readonly observation: string;
  readonly status: EffectStatus;
  readonly statusRaw?: string | undefined;
  readonly attemptId?: string | undefined;
  readonly answer?: string;
  readonly reason?: string;
  readonly late?: boolean;
  readonly evidence?: string;
}

/** Appends to what is known of an effect. False when the very same was appended before. */
export async function appendAttempt(tx: TenantTransaction, tenantId: string, attempt: NewAttempt): Promise<boolean> {
  const { effectId, agentId, source, status, late = false } = attempt;
  const optional = (text: string | undefined): string | null => (text === undefined ? null : storedText(text));
  const evidence = attempt.evidence === undefined ? null : await packJson(attempt.evidence);
  const rows = await tx.$executeRaw`
    insert into effect_attempts
      (tenant_id, id, effect_id, observation, source, status, status_raw, evidence, agent_id, attempt_id, answer, reason, late)
    values (${tenantId}::uuid, ${newId()}::uuid, ${effectId}::uuid, ${storedText(attempt.observation)}, ${source}, ${status},
      ${optional(attempt.statusRaw)}, ${evidence}, ${agentId}, ${optional(attempt.attemptId)},
      ${attempt.answer ?? null}, ${optional(attempt.reason)}, ${late})
    on conflict do nothing`;
  return rows === 1;
}

/**
 * An effect whose lease ran out: nobody knows how it ended, and it is never silently free. Done once; one that is unknown
 * or closed already stays as it is.
 */
export async function leaveUnknown(tx: TenantTransaction, tenantId: string, effect: Effect): Promise<Effect> {
  await endLease(tx, tenantId, effect.id);
  if (!['intended', 'awaiting_approval', 'fired'].includes(effect.status) || effect.attemptId === null) return effect;
  const attemptId = originalText(effect.attemptId);
  const evidence = `the lease of attempt ${attemptId} ran out before it was settled`;
  await appendAttempt(tx, tenantId, {
    ...{ effectId: effect.id, agentId: effect.agentId, source: 'expired', status: 'unknown', attemptId, evidence },
    observation: `expired ${attemptId}`,
  });
  const left = await tx.effect.update({
    where: { tenantId_id: { tenantId, id: effect.id } },
    data: { status: 'unknown', evidence: await packJson(evidence) },
  });
  await signalUnknown(tx, tenantId, left);
  return left;
}
