import type { ElementClass } from '../terms';
import type { Element } from '../window/element';
import type { Classified } from './classified';

/** What a rule says about an element; what it leaves out has the cautious default. */
export type Decision = Pick<Classified, 'class' | 'view' | 'rule' | 'evidence'> &
  Partial<
    Pick<
      Classified,
      'conflict' | 'leavesBehindHandle' | 'refetchable' | 'lastResort' | 'contract' | 'supersededBy' | 'keeps'
    >
  >;

/** Exists only in the window: stays in place, byte for byte. */
export function staysHere(rule: string, evidence: string, elementClass: ElementClass = 'externalize'): Decision {
  return { class: elementClass, view: 'authoritative', rule, evidence };
}

/** Nobody needs it any more; its original goes behind a handle when it leaves. */
export function disposable(rule: string, evidence: string): Decision {
  return { class: 'reclaim', view: 'disposable', rule, evidence, leavesBehindHandle: true };
}

/** A decision with its defaults filled in: nothing leaves unless a rule said so. */
export function classified(element: Element, decision: Decision): Classified {
  const { keeps, supersededBy } = decision;
  return {
    element,
    class: decision.class,
    view: decision.view,
    rule: decision.rule,
    evidence: decision.evidence,
    conflict: decision.conflict,
    leavesBehindHandle: decision.leavesBehindHandle ?? false,
    refetchable: decision.refetchable ?? false,
    lastResort: decision.lastResort ?? false,
    contract: decision.contract,
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(keeps === undefined ? {} : { keeps }),
  };
}
