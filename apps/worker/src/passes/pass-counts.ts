import { ELEMENT_CLASSES, type Outcome, type OutcomeName, type Refusal, type SessionStore } from '@holdfast/core';
import { type PassMetrics, VERIFICATION_CHECKS, type VerificationCheck } from '@holdfast/observability';

/** Counts what a pass came to; one that the session overtook (`superseded`) wrote nothing to be counted. */
export function countOutcome(outcome: Outcome, finishedAs: OutcomeName, metrics: PassMetrics): void {
  if (finishedAs !== outcome.outcome) return;
  const shown = outcome.outcome === 'compacted' ? outcome.proven : undefined;
  metrics.countTokens('before', outcome.tokensBefore);
  metrics.countTokens('after', shown?.tokensAfter ?? outcome.tokensBefore);
  metrics.countTokens('pinned', shown?.tokensPinned ?? 0);
  for (const { kind } of outcome.incidents) metrics.countDriftIncidents(kind);
  if (outcome.outcome === 'refused') countRefusal(outcome.refusal, metrics);
  const receipt = outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
  if (receipt === undefined) return;
  for (const name of ELEMENT_CLASSES) metrics.countElements(name, receipt.classes[name]);
}

function countRefusal(refusal: Refusal, metrics: PassMetrics): void {
  metrics.countRefusal(refusal.code);
  if (refusal.code !== 'PROOF_FAILED') return;
  for (const { evidence } of refusal.elements) {
    const check = evidence.split(':', 1)[0];
    if (isCheck(check)) metrics.countVerificationFailure(check);
  }
}

function isCheck(text: string | undefined): text is VerificationCheck {
  return (VERIFICATION_CHECKS as readonly (string | undefined)[]).includes(text);
}

/** The store, counting the bytes of originals that it secured. */
export function countingBytes(store: SessionStore, metrics: Pick<PassMetrics, 'countExternalizedBytes'>): SessionStore {
  return {
    ...store,
    async secure(batch) {
      const receipt = await store.secure(batch);
      metrics.countExternalizedBytes(batch.originals.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0));
      return receipt;
    },
  };
}
