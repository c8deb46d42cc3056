import type { EffectDraft } from '../ports';
import type { EffectStatus } from '../terms';

const CLOSED: ReadonlySet<EffectStatus> = new Set(['succeeded', 'failed', 'declined']);

/** How far an open status has come; a later one is never taken back for an earlier one. */
const PROGRESS: Readonly<Record<EffectStatus, number>> = {
  intended: 0,
  awaiting_approval: 1,
  fired: 2,
  unknown: 3,
  succeeded: 4,
  failed: 4,
  declined: 4,
};

/** True for statuses that nothing changes any more. */
export function isClosedStatus(status: EffectStatus): boolean {
  return CLOSED.has(status);
}

/**
 * What is known of one occurrence after another look at it: `known` from an earlier pass, `draft` from this window.
 *
 * ```
 * intended -> awaiting_approval -> fired -> unknown -> succeeded | failed | declined (final)
 * ```
 * A status only moves to the right, so a window that shows less than an earlier one never reopens an effect. What was
 * declared once (action, target, key, arguments) stays; the evidence is that of the status that counts.
 */
export function mergeEffect(known: EffectDraft, draft: EffectDraft): EffectDraft {
  const moves = PROGRESS[draft.status] > PROGRESS[known.status];
  const newer = moves || (draft.status === known.status && !isClosedStatus(known.status));
  return {
    occurrence: known.occurrence,
    action: known.action,
    target: known.target,
    kind: known.kind,
    idempotencyKey: known.idempotencyKey ?? draft.idempotencyKey,
    keySource: known.idempotencyKey === undefined ? draft.keySource : known.keySource,
    argumentsDigest: known.argumentsDigest,
    status: newer ? draft.status : known.status,
    statusRaw: newer ? (draft.statusRaw ?? known.statusRaw) : known.statusRaw,
    evidence: newer ? draft.evidence : known.evidence,
    kept: newer && draft.kept.length > 0 ? draft.kept : known.kept,
  };
}
