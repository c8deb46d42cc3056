import type { Element } from '../window/element';
import { isReadOnly, type CallEffect, type EffectOf } from './call-effect';
import { saysAwaitingApproval } from './result-shape';
import { staysHere, type Decision } from './decision';
import type { Plan } from './plans';
import type { ResultLineage } from './repeated-reads';
import type { RunningWork } from './running-work';
import type { WindowContext } from './window-context';

/** What the rules for calls and results look at besides the element. */
export interface CallRuleFacts {
  readonly context: WindowContext;
  readonly effectOf: EffectOf;
  readonly lineage: ResultLineage;
  readonly plans: ReadonlyMap<string, Plan>;
  /** By id of the result that names the work. */
  readonly running: ReadonlyMap<string, RunningWork>;
}

/** A call of the model: part of a finished pair, or still in flight. */
export function toolCall(element: Element, facts: CallRuleFacts): Decision | undefined {
  const { call } = element;
  if (call === undefined || element.kind !== 'call') return undefined;
  const { context } = facts;
  const declared = facts.effectOf(call);
  const { contract } = declared;
  const elementClass = isReadOnly(declared.effect) ? 'reclaim' : 'pin_effect';
  const { result, position } = context.pairOf(element);
  const plan = facts.plans.get(element.id);
  if (plan !== undefined)
    return { ...staysHere('plan_newest', `${plan.label}; ${declared.evidence}`, elementClass), contract };
  if (result === undefined) {
    const rule = position === 'open' ? 'in_flight' : 'no_result';
    const evidence =
      position === 'open' ? 'no result yet: the call is in flight' : 'the window went on without a result';
    return { ...staysHere(rule, `${evidence}; ${declared.evidence}`, elementClass), contract };
  }
  const waits = waitingEvidence(result, facts);
  if (waits !== undefined)
    return { ...staysHere(waits.rule, `${waits.evidence}; ${declared.evidence}`, elementClass), contract };
  if (!isReadOnly(declared.effect))
    return {
      ...staysHere(declared.rule, `${declared.evidence}; its result is in the window`, elementClass),
      leavesBehindHandle: true,
      contract,
    };
  return {
    class: 'reclaim',
    view: 'recoverable',
    rule: declared.rule,
    evidence: declared.evidence,
    leavesBehindHandle: true,
    refetchable: contract?.refetch !== false,
    contract,
  };
}

/** The answer to a call. */
export function toolResult(element: Element, facts: CallRuleFacts): Decision | undefined {
  if (element.kind !== 'result') return undefined;
  const { context, lineage } = facts;
  const call = context.callOf(element)?.call;
  if (call === undefined)
    return staysHere('result_without_call', 'a result whose call is not in the window', 'ambiguous');
  const declared = facts.effectOf(call);
  const decision = resultByContract(declared, facts);
  const waits = waitingEvidence(element, facts);
  if (waits !== undefined) {
    const held = staysHereFor(decision, waits.rule, waits.evidence);
    const recallable = context.input.recall === 'tool' && waits.rule === 'unread_result';
    return recallable ? { ...held, view: 'recoverable', leavesBehindHandle: true, lastResort: true } : held;
  }
  if (lineage.newestState.has(element.id))
    return staysHereFor(decision, 'newest_state', `the newest state of ${call.tool}, which holds state between calls`);
  const supersededBy = lineage.supersededBy.get(element.id);
  if (supersededBy === undefined) return decision;
  const evidence = `${supersededBy} answers the same ${call.tool} with the same arguments later; ${declared.evidence}`;
  return { ...decision, rule: 'superseded_read', evidence, supersededBy };
}

function resultByContract(declared: CallEffect, { context }: CallRuleFacts): Decision {
  const { contract } = declared;
  const readOnly = isReadOnly(declared.effect);
  const refetchable = contract?.refetch ?? readOnly;
  const recallable = context.input.recall === 'tool';
  const way = refetchable
    ? 'calling again brings it back'
    : recallable
      ? 'leaves only behind a recall handle'
      : 'nothing brings it back, and the agent has no recall';
  return {
    class: readOnly ? 'reclaim' : 'pin_effect',
    view: refetchable || recallable ? 'recoverable' : 'authoritative',
    rule: declared.rule,
    evidence: `${declared.evidence}; ${way}`,
    leavesBehindHandle: true,
    refetchable,
    contract,
  };
}

/** Why a result, and its call with it, is still waited for. */
function waitingEvidence(
  result: Element,
  { context, running }: CallRuleFacts,
): { readonly rule: string; readonly evidence: string } | undefined {
  const unread = { rule: 'unread_result', evidence: 'the model has not read the result yet' };
  // What a pass wrote in its place says nothing of the tool's, but the model has yet to read it.
  if (result.settled !== undefined) return context.isUnread(result) ? unread : undefined;
  const work = running.get(result.id);
  if (work !== undefined) return { rule: 'running_handle', evidence: work.handle.evidence };
  if (context.isUnread(result)) return unread;
  if (saysAwaitingApproval(context.shapeOf(result)))
    return { rule: 'awaiting_approval', evidence: 'the result says that it waits for a person' };
  return undefined;
}

function staysHereFor(decision: Decision, rule: string, evidence: string): Decision {
  return { ...decision, view: 'authoritative', rule, evidence, leavesBehindHandle: false, refetchable: false };
}
