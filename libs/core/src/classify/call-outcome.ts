import type { EffectStatus } from '../terms';
import type { CallOutcome } from '../window/element';
import type { CompiledContract } from './compiled-contract';
import { quoteStart } from './quote';
import {
  saysAwaitingApproval,
  saysDeclined,
  saysError,
  saysInterrupted,
  saysNeverRan,
  saysTimedOut,
} from './result-shape';
import type { ResultText } from './result-text';
import { findRunningHandle } from './running-handle';

export interface CallFacts {
  /** Undefined for a call without a result. */
  readonly result: ResultText | undefined;
  /** Undefined for a tool without a contract: unproven. */
  readonly contract: CompiledContract | undefined;
  /** `open`: the window ends with the call; `passed`: the window went on without a result. */
  readonly position: 'open' | 'passed';
  /** The call itself is of a kind that fails as a whole (see `failsWhole`), whatever its contract says. */
  readonly atomic?: boolean;
}

/**
 * The status of a call as its result shows it, in the words of the closed table.
 *
 * `failed` means certainly not applied: the contract says that a failure is atomic, or the call never ran. Any other
 * trouble of a declared tool is `unknown`. A tool without a contract is never `unknown`: its result is taken at its
 * word, and a lost answer leaves it `fired`.
 */
export function callOutcome(facts: CallFacts): CallOutcome {
  const { result } = facts;
  if (result === undefined) return withoutResult(facts);
  return neverApplied(result) ?? declaredOutcome(result, facts) ?? stillOpen(result) ?? shownOutcome(result, facts);
}

function withoutResult({ contract, position }: CallFacts): CallOutcome {
  if (position === 'open') return outcome('fired', 'no result yet: the call is in flight');
  return contract === undefined
    ? outcome('fired', 'the window went on without a result')
    : outcome('unknown', 'no result: the call was interrupted');
}

/** Declined by a person, or turned away by the harness: whatever the contract says, nothing was applied. */
function neverApplied(result: ResultText): CallOutcome | undefined {
  if (saysDeclined(result)) return outcome('declined', `the result says ${quoteStart(result.text)}`);
  if (saysNeverRan(result)) return outcome('failed', `the call never ran: ${quoteStart(result.text)}`);
  return undefined;
}

function declaredOutcome(result: ResultText, facts: CallFacts): CallOutcome | undefined {
  const { contract } = facts;
  if (contract === undefined) return undefined;
  const failed = contract.failedWhen.find((condition) => condition.matches(result));
  const succeeded = contract.succeededWhen.find((condition) => condition.matches(result));
  const shown = quoteStart(result.text);
  if (failed !== undefined && succeeded !== undefined)
    return outcome(
      'unknown',
      `both failed_when (${failed.words}) and succeeded_when (${succeeded.words}) hold: ${shown}`,
    );
  if (succeeded !== undefined) return outcome('succeeded', `succeeded_when ${succeeded.words}: ${shown}`);
  if (failed === undefined) return undefined;
  if (saysTimedOut(result)) return outcome('unknown', `failed_when ${failed.words}, but the answer was lost: ${shown}`);
  return isAtomic(facts)
    ? outcome('failed', `failed_when ${failed.words}, and a failure is atomic: ${shown}`)
    : outcome('unknown', `failed_when ${failed.words}, but a failure may be partly applied: ${shown}`);
}

function stillOpen(result: ResultText): CallOutcome | undefined {
  if (saysAwaitingApproval(result)) return outcome('awaiting_approval', `the result says ${quoteStart(result.text)}`);
  const running = findRunningHandle(result);
  return running === undefined ? undefined : outcome('fired', `still running: ${running.evidence}`);
}

function shownOutcome(result: ResultText, facts: CallFacts): CallOutcome {
  const { contract } = facts;
  const shown = quoteStart(result.text);
  const atomic = isAtomic(facts);
  const declared = contract !== undefined;
  if (saysInterrupted(result)) return outcome(declared ? 'unknown' : 'fired', `interrupted: ${shown}`);
  if (saysTimedOut(result)) return outcome(declared ? 'unknown' : 'fired', `the answer was lost: ${shown}`);
  if (saysError(result)) {
    if (!declared) return outcome('failed', `the result is an error: ${shown}`);
    return atomic
      ? outcome('failed', `the result is an error, and a failure is atomic: ${shown}`)
      : outcome('unknown', `the result is an error, and a failure may be partly applied: ${shown}`);
  }
  if (contract !== undefined && contract.succeededWhen.length > 0)
    return outcome('unknown', `no succeeded_when condition holds: ${shown}`);
  return outcome('succeeded', `the result is no error: ${shown}`);
}

function isAtomic({ contract, atomic }: CallFacts): boolean {
  return atomic === true || contract?.contract.outcome?.atomic === true;
}

function outcome(status: EffectStatus, evidence: string): CallOutcome {
  return { status, evidence };
}
