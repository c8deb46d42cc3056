import type { EffectResponse, RecordResponse, SessionResponse, WindowResponse } from '@holdfast/contracts';
import type { ListedEffect, ListedRecord, ListedWindow, StoredSession } from '../ports/repositories';

export function sessionView(session: StoredSession): SessionResponse {
  return {
    id: session.id,
    agent: session.agentId,
    session: session.session,
    version: session.version,
    accepted_passes: session.nextSeq - 1,
    finished_passes: session.finishedSeq,
    handed_out_passes: session.passes,
    accepted_window_id: session.acceptedWindowId ?? null,
    handed_out_window_id: session.handedOutWindowId ?? null,
    receipt_hash: session.receiptHash ?? null,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
  };
}

export function recordView(record: ListedRecord): RecordResponse {
  return {
    ref: record.ref,
    element_id: record.elementId,
    kind: record.kind,
    digest: record.digest,
    content: record.content,
    label: record.label,
    trust: record.trust,
    superseded_by: record.supersededBy ?? null,
    created_at: record.createdAt,
  };
}

export function effectView(effect: ListedEffect): EffectResponse {
  return {
    ref: effect.ref,
    occurrence: effect.occurrence,
    action: effect.action,
    target: effect.target,
    kind: effect.kind,
    idempotency_key: effect.idempotencyKey ?? null,
    key_source: effect.keySource,
    arguments_digest: effect.argumentsDigest,
    status: effect.status,
    status_raw: effect.statusRaw ?? null,
    evidence: effect.evidence,
    kept: [...effect.kept],
    created_at: effect.createdAt,
    updated_at: effect.updatedAt,
  };
}

export function windowView(window: ListedWindow): WindowResponse {
  return {
    id: window.id,
    kind: window.kind,
    version: window.version,
    format: window.format,
    compaction_id: window.compactionId ?? null,
    tokens: window.tokens ?? null,
    bytes: window.bytes,
    sha256: window.sha256,
    created_at: window.createdAt,
  };
}
