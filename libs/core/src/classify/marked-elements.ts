import type { Element, NativeFields } from '../window/element';
import { type ElementMark, markEvidence } from '../window/element-mark';
import { staysHere, type Decision } from './decision';
import type { WindowContext } from './window-context';

/** The fields of a native element as its owner's mark says them; what the mark does not say is the caller's. */
export function markedFields(native: NativeFields, { flags, source }: ElementMark): NativeFields {
  return {
    ...native,
    regenerable: flags.regenerable ?? native.regenerable,
    idempotent: flags.idempotent ?? native.idempotent,
    taskCritical: flags.task_critical ?? native.taskCritical,
    handle: native.handle ?? source,
    action: flags.action ?? native.action,
    target: flags.target ?? native.target,
    idempotencyKey: flags.idempotency_key ?? native.idempotencyKey,
    status: flags.status ?? native.status,
  };
}

/** What is waited for, or signed, or the rule of the house, stays whatever somebody says of it. */
const STAYS_ANYWAY: ReadonlySet<string> = new Set([
  'unread_result',
  'running_handle',
  'awaiting_approval',
  'result_without_call',
  'system_text',
]);

/**
 * The decision on an element of a provider's message under its owner's mark: critical, it stays with its bytes;
 * regenerable and safe to repeat, it may leave as what can be had again. Whatever it is, its effects stay ledgered.
 */
export function withMark(element: Element, decision: Decision, context: WindowContext): Decision {
  const { mark } = element;
  if (mark === undefined || element.kind === 'native' || element.rendered !== undefined) return decision;
  const { regenerable, idempotent, task_critical: critical } = mark.flags;
  const evidence = `${markEvidence(mark)}; ${decision.evidence}`;
  if (regenerable !== true && critical === true) {
    const { contract } = decision;
    const stays = staysHere('marked', evidence, decision.class === 'pin_effect' ? 'pin_effect' : 'externalize');
    return contract === undefined ? stays : { ...stays, contract };
  }
  const canLeave = (element.kind === 'text' || element.kind === 'result') && !STAYS_ANYWAY.has(decision.rule);
  if (regenerable !== true || idempotent !== true || !canLeave || context.isUnread(element)) return decision;
  const { keeps: _, ...rest } = decision;
  return {
    ...rest,
    class: 'reclaim',
    view: 'recoverable',
    rule: 'marked',
    evidence,
    leavesBehindHandle: true,
    refetchable: true,
  };
}
