import { sha256Hex } from '../digest';
import type { EffectDraft, RecordDraft } from '../ports';
import type { Mask } from '../secrets';
import type { Classification } from './classified';

/**
 * A classification without secrets in what it says: evidence, effects, records and notices. A record of a text with a
 * secret holds the text with the secret masked; its bytes stay where they are, and go to the archive.
 */
export function maskClassification(classification: Classification, mask: Mask): Classification {
  return {
    elements: classification.elements.map((classified) => ({
      ...classified,
      evidence: mask(classified.evidence),
      conflict: classified.conflict === undefined ? undefined : mask(classified.conflict),
    })),
    records: classification.records.map((record) => maskRecord(record, mask)),
    effects: classification.effects.map((effect) => maskEffect(effect, mask)),
    differences: classification.differences.map((difference) => ({
      ...difference,
      action: mask(difference.action),
      target: mask(difference.target),
      evidence: mask(difference.evidence),
    })),
    notices: classification.notices.map((notice) => ({ ...notice, message: mask(notice.message) })),
  };
}

function maskEffect(effect: EffectDraft, mask: Mask): EffectDraft {
  return {
    ...effect,
    action: mask(effect.action),
    target: mask(effect.target),
    statusRaw: effect.statusRaw === undefined ? undefined : mask(effect.statusRaw),
    evidence: mask(effect.evidence),
    kept: effect.kept.map(mask),
  };
}

function maskRecord(record: RecordDraft, mask: Mask): RecordDraft {
  const content = mask(record.content);
  const label = mask(record.label);
  if (content === record.content) return label === record.label ? record : { ...record, label };
  const { supersedes, ...masked } = { ...record, content, label, digest: sha256Hex(content) };
  // The plan that it follows says the same, but for the secret.
  return supersedes === undefined || supersedes === masked.digest ? masked : { ...masked, supersedes };
}
