import type { Classification } from '../classify/classified';
import { HoldfastError } from '../errors';
import type { Plan } from '../plan/plan';
import type { PassWindow } from '../pass';
import { sha256Hex } from '../digest';
import { deriveHandle } from '../render/marks';
import { holdsMask } from '../secrets';
import type { SecureBatch, SecureReceipt, SessionStore } from '../ports';

declare const SECURED: unique symbol;

/**
 * Proof that everything a plan takes out of the window is durable: only securing makes one, and summarizing takes
 * nothing else. That is the law "externalize first" as a type.
 */
export interface Secured {
  readonly [SECURED]: true;
  readonly plan: Plan;
  readonly receipt: SecureReceipt;
}

/** Everything the pass must not lose, in the shape that a store writes in one transaction. */
export function secureBatch(
  window: PassWindow,
  classification: Classification,
  plan: Plan,
  sessionId: string,
): SecureBatch {
  const unmasked = unmaskedRecords(window, classification, sessionId);
  const batch = {
    originals: [...new Map([...unmasked.originals, ...plan.originals].map((each) => [each.sha256, each])).values()],
    handles: [...new Map([...unmasked.handles, ...plan.handles].map((each) => [each.handle, each])).values()],
    records: classification.records,
    effects: classification.effects,
    accepted: window.manifest,
    nextElement: window.nextElement,
  };
  return { ...batch, planDigest: sha256Hex(JSON.stringify(digestible(batch, plan))) };
}

/** The bytes of what a record holds with a secret masked. */
function unmaskedRecords(
  { elements }: PassWindow,
  { records }: Classification,
  sessionId: string,
): Pick<SecureBatch, 'originals' | 'handles'> {
  const masked = new Map(records.filter(({ content }) => holdsMask(content)).map((each) => [each.elementId, each]));
  const sources = elements.flatMap((element) => {
    const record = masked.get(element.id);
    return record === undefined || element.text === record.content ? [] : [{ element, record }];
  });
  const originals = sources.map(({ element: { text } }) => ({ sha256: sha256Hex(text), text }));
  return {
    originals,
    handles: sources.map(({ element, record }, at) => {
      const sha256 = originals[at]?.sha256 ?? '';
      const handle = deriveHandle(sessionId, sha256);
      return { handle, sha256, elementId: element.id, label: `${record.kind} with its secret`, tokens: element.tokens };
    }),
  };
}

/** Originals by digest only: their texts are in it already. */
function digestible(batch: Omit<SecureBatch, 'planDigest'>, plan: Plan): unknown {
  return [
    batch.originals.map((original) => original.sha256),
    batch.handles,
    batch.records.map((record) => [record.elementId, record.kind, record.digest]),
    batch.effects.map((effect) => [
      effect.occurrence,
      effect.action,
      effect.target,
      effect.status,
      effect.idempotencyKey ?? '',
    ]),
    batch.accepted.entries.map((entry) => [entry.id, entry.digest]),
    plan.elements.map((element) => [element.operation, element.handle ?? '']),
    plan.segments.map((segment) => segment.pieces),
  ];
}

/** Secures a plan. Throws SECURE_UNPROVEN when what was read back is not what was written. */
export async function secure(batch: SecureBatch, plan: Plan, store: SessionStore): Promise<Secured> {
  return proven(batch, plan, await store.secure(batch));
}

/** Takes up a plan that was secured before (another process did it); undefined when it never was. */
export async function resumeSecured(batch: SecureBatch, plan: Plan, store: SessionStore): Promise<Secured | undefined> {
  const receipt = await store.findSecured(batch);
  return receipt === undefined ? undefined : proven(batch, plan, receipt);
}

function proven(batch: SecureBatch, plan: Plan, receipt: SecureReceipt): Secured {
  const originals = new Set(receipt.originals);
  const handles = new Map(receipt.handles.map(({ handle, sha256 }) => [handle, sha256]));
  const records = new Set(receipt.records.map((record) => identity(record.elementId, record.kind, record.digest)));
  const effects = new Map(receipt.effects.map((effect) => [effect.occurrence, effect]));
  const missing = [
    ...batch.originals.filter(({ sha256 }) => !originals.has(sha256)).map(({ sha256 }) => `original ${sha256}`),
    ...batch.handles
      .filter(({ handle, sha256 }) => handles.get(handle) !== sha256)
      .map(({ handle }) => `handle ${handle}`),
    ...batch.records
      .filter((record) => !records.has(identity(record.elementId, record.kind, record.digest)))
      .map((record) => `record of ${record.elementId}`),
    ...batch.effects
      .filter((effect) => {
        const stored = effects.get(effect.occurrence);
        return stored === undefined || stored.action !== effect.action || stored.target !== effect.target;
      })
      .map((effect) => `effect of ${effect.occurrence}`),
  ];
  if (receipt.planDigest !== batch.planDigest) missing.push('plan');
  if (missing.length > 0) {
    throw new HoldfastError(
      'SECURE_UNPROVEN',
      `The store did not give back what was written: ${missing.slice(0, 5).join(', ')}`,
      'Check the store; the pass can be tried again and the window that was sent is still valid.',
      true,
    );
  }
  // The only place that makes one: the checks above are its proof.
  return { plan, receipt } as Secured;
}

function identity(elementId: string, kind: string, digest: string): string {
  return JSON.stringify([elementId, kind, digest]);
}
