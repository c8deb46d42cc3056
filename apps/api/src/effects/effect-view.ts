import type { EffectAttemptResponse, LedgerEffectResponse } from '@holdfast/contracts';
import type { ClaimAnswer } from '@holdfast/core';
import type { LedgerAttempt, LedgerEffect } from '../ports/repositories';
import { effectView } from '../sessions/session-view';

export function ledgerEffectView(effect: LedgerEffect): LedgerEffectResponse {
  return {
    ...effectView(effect),
    id: effect.id,
    agent: effect.agentId,
    session: effect.session,
    repeat_label: effect.repeatLabel ?? null,
    attempt_id: effect.attemptId ?? null,
    has_result: effect.resultSha256 !== undefined,
  };
}

export function effectAttemptView(attempt: LedgerAttempt): EffectAttemptResponse {
  return {
    id: attempt.id,
    at: attempt.at,
    source: attempt.source,
    attempt_id: attempt.attemptId ?? null,
    // Written by the gate and by nobody else.
    answer: (attempt.answer as ClaimAnswer | undefined) ?? null,
    reason: attempt.reason ?? null,
    status: attempt.status,
    status_raw: attempt.statusRaw ?? null,
    evidence: attempt.evidence ?? null,
    late: attempt.late,
    compaction_id: attempt.compactionId ?? null,
  };
}
