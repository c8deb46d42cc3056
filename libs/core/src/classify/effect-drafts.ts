import { argumentsDigest, deriveIdempotencyKey } from '../effects/idempotency-key';
import { describeTarget, NO_TARGET } from '../effects/describe-target';
import { keptValues } from '../effects/kept-values';
import { isClosedStatus, mergeEffect } from '../effects/merge-effect';
import { sha256Hex } from '../digest';
import type { EffectDraft } from '../ports';
import { markEvidence } from '../window/element-mark';
import { saysNoResult } from '../window/missing-result';
import type { Element } from '../window/element';
import { isReadOnly, type EffectOf } from './call-effect';
import { callOutcome } from './call-outcome';
import type { Classified } from './classified';
import { failsWhole } from './exec-atomic';
import { differenceOf, type EffectDifference, UnseenClaims } from './claimed-effects';
import type { EndedWork } from './running-work';
import { recordsEffect } from './native-elements';
import { nativeStatus } from './native-status';
import type { WindowContext } from './window-context';

export interface DraftedEffects {
  readonly effects: readonly EffectDraft[];
  readonly differences: readonly EffectDifference[];
}

/** Every effect that the window shows, one for each occurrence, with what earlier passes knew of it. */
export function draftEffects(
  elements: readonly Classified[],
  context: WindowContext,
  effectOf: EffectOf,
  ended: readonly EndedWork[] = [],
): DraftedEffects {
  const known = new Map(context.input.knownEffects.map((effect) => [effect.occurrence, effect]));
  const unseen = new UnseenClaims(known.values());
  const differences: EffectDifference[] = [];
  const drafts = elements.flatMap((classified) => {
    const { element } = classified;
    const draft = draftOf(classified, context, effectOf, known.get(element.id));
    if (draft === undefined) return [];
    const seen = known.get(element.id) ?? unseen.take(draft);
    if (seen === undefined) return [draft];
    const isNew = element.fresh || context.pairOf(element).result?.fresh === true;
    const difference = seen.claim !== undefined && isNew ? differenceOf(seen, draft) : undefined;
    if (difference !== undefined) differences.push(difference);
    const merged = { ...mergeEffect(seen, draft), occurrence: draft.occurrence };
    return [seen.claim === undefined ? merged : { ...merged, claim: seen.claim }];
  });
  return { effects: quoteLaterEvidence(closeEnded(drafts, [...known.values()], ended)), differences };
}

function draftOf(
  classified: Classified,
  context: WindowContext,
  effectOf: EffectOf,
  seen: EffectDraft | undefined,
): EffectDraft | undefined {
  const { element } = classified;
  if (element.rendered !== undefined) return undefined;
  return element.native === undefined
    ? withAttached(element, callDraft(element, context, effectOf, seen))
    : nativeDraft(classified);
}

function callDraft(
  element: Element,
  context: WindowContext,
  effectOf: EffectOf,
  seen: EffectDraft | undefined,
): EffectDraft | undefined {
  const { call } = element;
  if (call === undefined || element.kind !== 'call') return undefined;
  const { effect, contract } = effectOf(call);
  if (isReadOnly(effect)) return undefined;
  const { result, position } = context.pairOf(element);
  // A result that an earlier pass shortened proves nothing any more; what was seen in full stands.
  if (result?.settled !== undefined && seen !== undefined) return seen;
  const isAnswered = result !== undefined && !saysNoResult(result.text);
  const shape = isAnswered ? context.shapeOf(result) : undefined;
  const compiled = context.contracts.find(call.tool);
  const atomic = effect === 'exec' && failsWhole(call.args);
  const { status, evidence } = callOutcome({ result: shape, contract: compiled, position, atomic });
  const key = deriveIdempotencyKey(call.tool, contract, call);
  return {
    occurrence: element.id,
    action: call.tool,
    target: describeTarget(contract, call),
    kind: effect,
    idempotencyKey: key,
    keySource: key === undefined ? 'none' : 'derived',
    argumentsDigest: argumentsDigest(call),
    status,
    statusRaw: undefined,
    evidence,
    kept: shape === undefined || status === 'failed' || status === 'declined' ? [] : keptValues(contract, shape),
  };
}

/** The effect that the owner attached to an element of a provider's message, over what its call shows. */
function withAttached({ id, mark }: Element, draft: EffectDraft | undefined): EffectDraft | undefined {
  const { action, target, idempotency_key: key, status } = mark?.flags ?? {};
  if (mark === undefined || action === undefined) return draft;
  const attached = draft ?? {
    ...{ occurrence: id, action, target: NO_TARGET, kind: 'write', kept: [] },
    ...{ idempotencyKey: undefined, keySource: 'none' },
    argumentsDigest: sha256Hex(JSON.stringify([action, target ?? null, key ?? null])),
  };
  return {
    ...attached,
    target: target ?? attached.target,
    ...(key === undefined ? {} : { idempotencyKey: key, keySource: 'declared' }),
    status: nativeStatus(status),
    statusRaw: status,
    evidence: markEvidence(mark),
  };
}

/** Undefined for an element without an effect, and for one that the pipeline refuses as incomplete. */
function nativeDraft(classified: Classified): EffectDraft | undefined {
  const { element, contract } = classified;
  const { native } = element;
  if (native === undefined || !recordsEffect(native, classified.class)) return undefined;
  const { action, target, idempotencyKey, status } = native;
  if (action === undefined || (target === undefined && classified.class === 'pin_effect')) return undefined;
  return {
    occurrence: element.id,
    action,
    target: target ?? NO_TARGET,
    kind: contract === undefined || isReadOnly(contract.effect) ? 'write' : contract.effect,
    idempotencyKey,
    keySource: idempotencyKey === undefined ? 'none' : 'declared',
    argumentsDigest: sha256Hex(JSON.stringify([action, target ?? null, idempotencyKey ?? null])),
    status: nativeStatus(status),
    statusRaw: status,
    evidence:
      element.mark?.flags.status !== undefined
        ? markEvidence(element.mark)
        : status === undefined
          ? 'recorded by the caller without a status'
          : `declared by the caller: ${JSON.stringify(status)}`,
    kept: [],
  };
}

/** Started work whose end was read: the later evidence closes its effect, quoted, also where the call has left. */
function closeEnded(
  drafts: readonly EffectDraft[],
  known: readonly EffectDraft[],
  ended: readonly EndedWork[],
): readonly EffectDraft[] {
  if (ended.length === 0) return drafts;
  const drafted = new Set(drafts.map(({ occurrence }) => occurrence));
  const left = known.filter(({ occurrence }) => !drafted.has(occurrence));
  const endOf = ({ occurrence, action, evidence }: EffectDraft): EndedWork | undefined =>
    ended.find(({ call, tool, handle }) =>
      call === undefined ? action === tool && evidence.includes(handle.id) : call.id === occurrence,
    );
  return [...drafts, ...left].flatMap((draft) => {
    const end = draft.status === 'fired' ? endOf(draft) : undefined;
    if (end === undefined) return drafted.has(draft.occurrence) ? [draft] : [];
    // A failure of declared work may be partly applied: only its owner can say that it is not.
    const status = end.status === 'failed' && draft.kind !== 'unproven' ? 'unknown' : end.status;
    const evidence = `started ${end.handle.name} ${end.handle.id}; ${end.endedBy.id} says ${end.quote}`;
    return [mergeEffect(draft, { ...draft, status, evidence })];
  });
}

/** An unknown outcome shows what a later equal call said; it stays unknown: two equal calls are two effects. */
function quoteLaterEvidence(drafts: readonly EffectDraft[]): readonly EffectDraft[] {
  const laterClosed = new Map<string, EffectDraft>();
  return drafts
    .toReversed()
    .map((draft) => {
      const identity = `${draft.action}\n${draft.argumentsDigest}`;
      const later = laterClosed.get(identity);
      if (isClosedStatus(draft.status)) laterClosed.set(identity, draft);
      if (draft.status !== 'unknown' || later === undefined || draft.evidence.includes(LATER)) return draft;
      return { ...draft, evidence: `${draft.evidence}${LATER} ${later.status}: ${later.evidence}` };
    })
    .toReversed();
}

const LATER = '; a later equal call';
