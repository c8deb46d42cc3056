import type { RecordKind } from '../terms';
import type { Element, NativeFields } from '../window/element';
import { markEvidence } from '../window/element-mark';
import { isReadOnly } from './call-effect';
import { staysHere, type Decision } from './decision';
import { classifyElement } from './element-class';
import { isGoingOn } from './native-status';
import { readsLikePlan } from './plans';
import type { WindowContext } from './window-context';

/** An element of the `elements` format: its flags decide; a contract of its action can only raise caution. */
export function nativeElement(element: Element, context: WindowContext): Decision | undefined {
  const { native } = element;
  if (native === undefined || element.kind !== 'native') return undefined;
  const byFlags = withMarkEvidence(element, byFlagsAlone(native));
  const decision = withContract(byFlags, native, context);
  const missing = decision.class === 'pin_effect' ? missingFields(native) : [];
  if (missing.length > 0)
    return {
      ...staysHere(
        'effect_incomplete',
        `a fired effect without ${missing.join(' and ')}; ${decision.evidence}`,
        decision.class,
      ),
      conflict: decision.conflict,
    };
  if (recordsEffect(native, decision.class) && isGoingOn(native.status))
    return {
      ...staysHere('in_flight', `its status is ${JSON.stringify(native.status)}; ${decision.evidence}`, decision.class),
      conflict: decision.conflict,
      contract: decision.contract,
    };
  return decision;
}

/** True when a native element records an action, whatever its class. */
export function recordsEffect(native: NativeFields, elementClass: Decision['class']): boolean {
  return native.action !== undefined || elementClass === 'pin_effect';
}

/** Kind of the record that an externalized native element makes. */
export function nativeRecordKind(text: string): RecordKind {
  if (readsLikePlan(text)) return 'plan';
  return /^\s*(?:[\w .-]{1,40}[:=]\s*)?(?=\S*\d)[\w./:@#-]{6,128}\s*$/u.test(text) ? 'identifier' : 'constraint';
}

function withMarkEvidence({ mark }: Element, decision: Decision): Decision {
  if (mark === undefined) return decision;
  return { ...decision, rule: 'marked', evidence: `${markEvidence(mark)}; ${decision.evidence}` };
}

function byFlagsAlone(native: NativeFields): Decision {
  const { regenerable, idempotent, taskCritical } = native;
  const elementClass = classifyElement({ regenerable, idempotent, task_critical: taskCritical });
  const evidence = `flags: regenerable ${yesNo(regenerable)}, idempotent ${yesNo(idempotent)}, task_critical ${yesNo(taskCritical)}`;
  if (!regenerable) return staysHere('flags', evidence, elementClass);
  return {
    class: elementClass,
    view: elementClass === 'pin_effect' || native.handle !== undefined ? 'recoverable' : 'disposable',
    rule: 'flags',
    evidence,
    leavesBehindHandle: true,
    refetchable: true,
  };
}

/** A contract that contradicts the flags makes an effect of the element, never the other way round. */
function withContract(decision: Decision, native: NativeFields, context: WindowContext): Decision {
  const contract = native.action === undefined ? undefined : context.contracts.find(native.action)?.contract;
  if (contract === undefined || native.action === undefined) return decision;
  const declaresEffect = !isReadOnly(contract.effect);
  if (declaresEffect && decision.class === 'reclaim')
    return {
      ...decision,
      class: 'pin_effect',
      view: 'recoverable',
      contract,
      conflict: `the flags say safe to repeat, the contract declares ${native.action} as ${contract.effect}: pinned`,
    };
  if (!declaresEffect && decision.class === 'pin_effect')
    return {
      ...decision,
      contract,
      conflict: `the contract declares ${native.action} as ${contract.effect}, the flags say a fired effect: pinned`,
    };
  return { ...decision, contract };
}

function missingFields(native: NativeFields): string[] {
  return [...(native.action === undefined ? ['action'] : []), ...(native.target === undefined ? ['target'] : [])];
}

function yesNo(flag: boolean): string {
  return flag ? 'yes' : 'no';
}
