import type { EffectStatus } from '@holdfast/core';
import { bytesToHex } from '../digest-bytes';
import type { Effect, EffectAttempt } from '../generated/client';
import { unpackJson } from '../packed-json';
import type { ListedEffect } from '../sessions/listed-rows';
import { storedEffect } from '../session-store/read-session';
import { originalText, storedText } from '../text';
import type { TenantTransaction } from '../transaction';
import type { ClaimInput } from './claim-input';

/** An effect of any session; times in ISO 8601 from the database's clock. */
export interface LedgerEffect extends ListedEffect {
  readonly id: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly repeatLabel: string | undefined;
  readonly attemptId: string | undefined;
  readonly resultSha256: string | undefined;
}

export interface LedgerAttempt {
  readonly id: string;
  readonly at: string;
  readonly source: 'observed' | 'claimed' | 'settled' | 'expired' | 'reconciled';
  readonly attemptId: string | undefined;
  readonly answer: string | undefined;
  readonly reason: string | undefined;
  readonly status: EffectStatus;
  readonly statusRaw: string | undefined;
  readonly evidence: string | undefined;
  readonly late: boolean;
  readonly compactionId: string | undefined;
}

export async function ledgerEffect(tx: TenantTransaction, tenantId: string, row: Effect): Promise<LedgerEffect> {
  const { externalId } = await tx.session.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: row.sessionId } },
    select: { externalId: true },
  });
  return listedEffect(row, externalId);
}

/** Most claims are about an effect of their own session, whose name they bring. */
export function claimedView(
  tx: TenantTransaction,
  tenantId: string,
  effect: Effect,
  { session }: ClaimInput,
  sessionId: string | undefined,
): Promise<LedgerEffect> {
  return effect.sessionId === sessionId
    ? listedEffect(effect, storedText(session))
    : ledgerEffect(tx, tenantId, effect);
}

export async function listedEffect(row: Effect, externalId: string): Promise<LedgerEffect> {
  return {
    ...(await storedEffect(row)),
    id: row.id,
    agentId: row.agentId,
    sessionId: row.sessionId,
    session: originalText(externalId),
    repeatLabel: row.repeatLabel === null ? undefined : originalText(row.repeatLabel),
    attemptId: row.attemptId === null ? undefined : originalText(row.attemptId),
    resultSha256: row.resultSha256 === null ? undefined : bytesToHex(row.resultSha256),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function ledgerAttempt(row: EffectAttempt): Promise<LedgerAttempt> {
  const optional = (text: string | null): string | undefined => (text === null ? undefined : originalText(text));
  return {
    id: row.id,
    at: row.at.toISOString(),
    source: row.source as LedgerAttempt['source'],
    attemptId: optional(row.attemptId),
    answer: row.answer ?? undefined,
    reason: optional(row.reason),
    status: row.status as EffectStatus,
    statusRaw: optional(row.statusRaw),
    evidence: row.evidence === null ? undefined : ((await unpackJson(row.evidence)) as string),
    late: row.late,
    compactionId: row.compactionId ?? undefined,
  };
}
