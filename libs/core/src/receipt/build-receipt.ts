import type { Classified } from '../classify/classified';
import { sha256Hex } from '../digest';
import type { Prepared } from '../prepare';
import type { SecureReceipt } from '../ports';
import type { RenderedWindow } from '../render/render-window';
import type { MadeSegment } from '../summarize/make-segments';
import { ELEMENT_CLASSES, OPERATIONS, type ElementClass, type Operation, type OutcomeName } from '../terms';
import type { WindowCount } from '../window/count';
import type { PlannedElement } from '../plan/plan';
import { countTerms, elementAccount } from './element-account';
import { sealReceipt, type Receipt, type ReceiptElement, type Verdict } from './receipt';

export interface ReceiptInput {
  readonly prepared: Prepared;
  readonly stored: SecureReceipt;
  readonly outcome: OutcomeName;
  readonly counter: { readonly name: string; readonly exact: boolean };
  /** Undefined when the window stays as it is. */
  readonly done:
    | {
        readonly rendered: RenderedWindow;
        readonly segments: readonly MadeSegment[];
        readonly count: WindowCount;
        readonly pinnedTokens: number;
      }
    | undefined;
}

/** Writes the account of a pass: per element class, rule, evidence, operation, digests, store ids and verdicts. */
export function buildReceipt(input: ReceiptInput): Receipt {
  const { prepared, stored, done } = input;
  const { request, session, window, classification, plan, batch } = prepared;
  const output = done?.rendered.source ?? request.source;
  const index = indexStored(input);
  const elements = classification.elements.map((classified, at) => receiptElement(input, index, classified, at));
  return sealReceipt({
    version: 1,
    session_id: session.sessionId,
    pass: session.passes + 1,
    format: request.format,
    mode: request.mode,
    recall: request.recall,
    outcome: input.outcome,
    ...(done !== undefined && plan.putsBack ? { put_back: true as const } : {}),
    counter: { name: input.counter.name, exact: input.counter.exact },
    budget_tokens: request.budgetTokens,
    aim_tokens: plan.aimTokens,
    tokens: {
      before: window.count.total,
      after: done?.count.total ?? window.count.total,
      system: window.count.system,
      pinned: done?.pinnedTokens ?? 0,
      floor: plan.floorTokens,
    },
    input_sha256: sha256Hex(request.source),
    output_sha256: sha256Hex(output),
    classes: countTerms<ElementClass>(
      ELEMENT_CLASSES,
      classification.elements.map((member) => member.class),
    ),
    operations: countTerms<Operation>(
      OPERATIONS,
      elements.map((element) => element.operation),
    ),
    sealed_fields: done?.segments.reduce((sum, segment) => sum + segment.sealedFields, 0) ?? 0,
    elements,
    effects: stored.effects.map(({ ref, occurrence, status }) => ({ ref, occurrence, status })),
    records: stored.records.map(({ ref, elementId, digest }) => ({ ref, element_id: elementId, digest })),
    plan_sha256: batch.planDigest,
    previous: session.receiptHead ?? null,
  });
}

/** Store ids by what they belong to, so that a receipt is linear in its window. */
interface StoredIndex {
  readonly effects: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, readonly string[]>;
  readonly originals: ReadonlyMap<string, string>;
  /** Place in the output by element, and by segment. */
  readonly places: ReadonlyMap<number, number>;
  readonly segmentPlaces: ReadonlyMap<number, number>;
}

function indexStored({ stored, prepared, done }: ReceiptInput): StoredIndex {
  const records = new Map<string, string[]>();
  for (const { elementId, ref } of stored.records) records.set(elementId, [...(records.get(elementId) ?? []), ref]);
  const places = new Map<number, number>();
  const segmentPlaces = new Map<number, number>();
  done?.rendered.parts.forEach((part, place) => {
    if (part.kind === 'replaced') places.set(part.element, place);
    if (part.kind === 'segment') segmentPlaces.set(part.segment, place);
  });
  return {
    effects: new Map(stored.effects.map(({ occurrence, ref }) => [occurrence, ref])),
    records,
    originals: new Map(prepared.plan.handles.map(({ handle, sha256 }) => [handle, sha256])),
    places,
    segmentPlaces,
  };
}

function receiptElement(
  input: ReceiptInput,
  stored: StoredIndex,
  classified: Classified,
  index: number,
): ReceiptElement {
  const { element } = classified;
  const planned: PlannedElement =
    input.done === undefined ? { operation: 'keep' } : (input.prepared.plan.elements[index] ?? { operation: 'keep' });
  const effect = stored.effects.get(element.id);
  const records = stored.records.get(element.id) ?? [];
  const segment = planned.segment === undefined ? undefined : input.done?.segments[planned.segment]?.draft.id;
  const handle = planned.handle;
  const original = handle === undefined ? undefined : stored.originals.get(handle);
  return {
    ...elementAccount(classified),
    operation: planned.operation,
    tokens_before: element.tokens,
    tokens_after: tokensAfter(input, stored, planned, element.tokens, index),
    digest: element.digest,
    ...(handle === undefined ? {} : { handle }),
    ...(original === undefined ? {} : { original_sha256: original }),
    ...(effect === undefined ? {} : { effect }),
    ...(records.length === 0 ? {} : { records }),
    ...(segment === undefined ? {} : { segment }),
    c1: regenerable(classified, planned),
    c2: effectSafe(effect),
    c3: fieldsExact(planned, records),
  };
}

/** Tokens where the element stands now; a folded element's are those of its segment, counted once at its first part. */
function tokensAfter(
  input: ReceiptInput,
  stored: StoredIndex,
  planned: PlannedElement,
  before: number,
  index: number,
): number {
  if (planned.operation === 'keep' || input.done === undefined) return before;
  const { segments, count } = input.done;
  const first = planned.segment === undefined ? index : segments[planned.segment]?.planned.parts[0];
  if (first !== index) return 0;
  const inSegment = planned.segment === undefined ? undefined : stored.segmentPlaces.get(planned.segment);
  return count.parts[stored.places.get(index) ?? inSegment ?? -1] ?? 0;
}

function regenerable({ view, refetchable }: Classified, planned: PlannedElement): Verdict {
  switch (planned.operation) {
    case 'keep':
      return { holds: true, by: 'stands in the window' };
    case 'repack':
      return { holds: true, by: 'same content, read back' };
    case 'reduce':
    case 'evict':
      if (planned.handle !== undefined) return { holds: true, by: `archived behind ${planned.handle}` };
      return { holds: refetchable, by: 'calling again brings it back' };
    case 'summarize':
      return { holds: true, by: `${view}; the original is archived behind ${planned.handle ?? ''}` };
  }
}

function effectSafe(ref: string | undefined): Verdict {
  return ref === undefined ? { holds: true, by: 'no effect' } : { holds: true, by: `${ref} in the ledger` };
}

function fieldsExact(planned: PlannedElement, records: readonly string[]): Verdict {
  if (records.length > 0) return { holds: true, by: `${records.join(', ')} in the scratch store` };
  switch (planned.operation) {
    case 'keep':
      return { holds: true, by: 'source bytes' };
    case 'repack':
      return { holds: true, by: 'same literals, read back' };
    case 'summarize':
      return { holds: true, by: 'every literal has a source offset' };
    case 'reduce':
      return { holds: true, by: 'kept literals are source bytes, the rest is archived' };
    case 'evict':
      return { holds: true, by: 'archived byte for byte' };
  }
}
