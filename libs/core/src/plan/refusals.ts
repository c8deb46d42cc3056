import type { Classification, Classified } from '../classify/classified';
import { NO_TARGET } from '../effects';
import { recordsEffect } from '../classify/native-elements';
import type { Refusal, RefusedElement, Repair } from '../outcome';
import type { PassRequest, PassWindow } from '../pass';
import type { EffectDraft, SessionState } from '../ports';
import type { Mask } from '../secrets';
import type { Element } from '../window/element';

/** Refusals that no plan can change: an element whose fate cannot be decided, an effect that cannot be ledgered. */
export function refusalBeforePlan(
  request: PassRequest,
  window: PassWindow,
  classification: Classification,
  session: SessionState,
): Refusal | undefined {
  const refuse = refuser(request, window, classification);
  const ledger = new Map(session.effects.map((effect) => [effect.occurrence, effect]));
  const renamed = classification.elements.filter((member) =>
    recordsAnotherEffect(member, ledger.get(member.element.id), window.mask),
  );
  if (renamed.length > 0) {
    return refuse(
      'EFFECT_CONFLICT',
      'Its id stands for another action, target or key in the ledger',
      renamed,
      repairsOfRenamed(renamed, ledger),
    );
  }
  const conflicting = new Set(conflictingEffects(classification.effects, session));
  if (conflicting.size > 0) {
    const members = classification.elements.filter(({ element }) => conflicting.has(element.id));
    const message = 'Its idempotency key stands for another action, target or arguments';
    return refuse('EFFECT_CONFLICT', message, members, repairsOfSharedKeys(members, window.mask));
  }
  const incomplete = classification.elements.filter(({ rule }) => rule === 'effect_incomplete');
  if (incomplete.length > 0) {
    return refuse(
      'EFFECT_INCOMPLETE',
      'A fired effect has no action or no target, so it cannot be ledgered',
      incomplete,
      incomplete.flatMap(({ element }) => repairsOfIncomplete(element, window.mask)),
    );
  }
  const unresolved = window.elements.filter(
    ({ native, mark }) =>
      native !== undefined && native.externalized && !native.hasContent && mark?.flags.regenerable !== true,
  );
  if (unresolved.length > 0) {
    const members = classification.elements.filter(({ element }) => unresolved.includes(element));
    return refuse(
      'HANDLE_UNRESOLVED',
      'Claimed to be externalized, but neither content nor store has it',
      members,
      members.map(letGo),
    );
  }
  const ambiguous = classification.elements.filter((member) => member.class === 'ambiguous');
  if (ambiguous.length > 0 && request.policy.onAmbiguous === 'refuse') {
    const repairs = ambiguous.flatMap((member) => [keep(member), letGo(member)]);
    return refuse('AMBIGUOUS_ELEMENT', 'Neither regenerable nor declared critical', ambiguous, repairs);
  }
  return undefined;
}

/** True when the ledger has another effect under the id of this element: taken for that one, this would be lost. */
function recordsAnotherEffect(
  { element, class: elementClass }: Classified,
  known: EffectDraft | undefined,
  mask: Mask,
): boolean {
  const { native } = element;
  if (known === undefined || native?.action === undefined || !recordsEffect(native, elementClass)) return false;
  const { action, target = known.target, idempotencyKey = known.idempotencyKey } = native;
  return (
    mask(action) !== known.action ||
    (mask(target) !== known.target && known.target !== NO_TARGET) ||
    (known.idempotencyKey !== undefined && idempotencyKey !== known.idempotencyKey)
  );
}

/** Occurrences whose declared key is already taken by an effect that says something else. */
function conflictingEffects(drafts: readonly EffectDraft[], session: SessionState): readonly string[] {
  const owners = new Map<string, EffectDraft>();
  const conflicts: string[] = [];
  for (const effect of [...session.effects, ...drafts]) {
    if (effect.keySource !== 'declared' || effect.idempotencyKey === undefined) continue;
    const owner = owners.get(effect.idempotencyKey);
    if (owner === undefined) owners.set(effect.idempotencyKey, effect);
    else if (owner.action !== effect.action || owner.target !== effect.target) conflicts.push(effect.occurrence);
  }
  return conflicts;
}

function keep({ element }: Classified): Repair {
  return {
    kind: 'mark_element',
    element_id: element.id,
    set: { task_critical: true },
    message: 'Keep it: it is externalized and stays verbatim',
  };
}

function letGo({ element }: Classified): Repair {
  return {
    kind: 'mark_element',
    element_id: element.id,
    set: { regenerable: true, idempotent: true },
    message: 'Let it go: it can be had again from its source',
  };
}

/** What it did, or that nothing was done. */
function repairsOfIncomplete({ id, native }: Element, mask: Mask): readonly Repair[] {
  const action = native?.action === undefined ? null : mask(native.action);
  const target = native?.target === undefined ? null : mask(native.target);
  return [
    {
      ...{ kind: 'attach_effect', element_id: id, action, target },
      message: 'Say what it did and to what: it is ledgered and pinned',
    },
    {
      ...{ kind: 'mark_element', element_id: id, set: { regenerable: false, task_critical: true } },
      message: 'Keep it: it is externalized and stays verbatim',
    },
  ];
}

/** The ledger's word holds: its action can never become another. */
function repairsOfRenamed(
  members: Classification['elements'],
  ledger: ReadonlyMap<string, EffectDraft>,
): readonly Repair[] {
  return members.flatMap(({ element }): readonly Repair[] => {
    const known = ledger.get(element.id);
    if (known === undefined) return [];
    const { action, target, idempotencyKey } = known;
    const message = 'It is the effect that the ledger has; another one needs an id of its own';
    const key = idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey };
    return [{ kind: 'attach_effect', element_id: element.id, action, target, ...key, message }];
  });
}

function repairsOfSharedKeys(members: Classification['elements'], mask: Mask): readonly Repair[] {
  return members.flatMap(({ element: { id, native } }): readonly Repair[] => {
    const { action, target, idempotencyKey } = native ?? {};
    if (action === undefined || target === undefined || idempotencyKey === undefined) return [];
    const message = 'It is an effect of its own: give it a key of its own';
    return [
      {
        ...{ kind: 'attach_effect', element_id: id, action: mask(action), target: mask(target) },
        ...{ idempotency_key: `${mask(idempotencyKey)}#${id}`, message },
      },
    ];
  });
}

/** An element as a refusal names it. */
export function refusedElement(member: Classified, elements: Classification['elements']): RefusedElement {
  const { element, rule, evidence } = member;
  const call = element.result === undefined ? element : elements[element.result.call]?.element;
  const tool = call?.call?.tool ?? element.native?.action;
  return { element_id: element.id, path: element.path, evidence, rule, ...(tool === undefined ? {} : { tool }) };
}

type Refuse = (
  code: Refusal['code'],
  message: string,
  members: Classification['elements'],
  repairs: readonly Repair[],
) => Refusal;

function refuser(request: PassRequest, window: PassWindow, { elements }: Classification): Refuse {
  return (code, message, members, repairs) => {
    const names = members
      .map(({ element }) => element.id)
      .slice(0, 3)
      .join(', ');
    return {
      code,
      message: `${message}: ${names}${members.length > 3 ? ` and ${members.length - 3} more` : ''}`,
      elements: members.map((member) => refusedElement(member, elements)),
      floor_tokens: undefined,
      shortfall_tokens: undefined,
      headroom_tokens: request.budgetTokens - window.count.total,
      repairs,
    };
  };
}
