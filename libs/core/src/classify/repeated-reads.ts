import { canonicalArguments } from '../effects/canonical-arguments';
import { isReadOnly, type EffectOf } from './call-effect';
import { saysError } from './result-shape';
import type { WindowContext } from './window-context';

/** What later results make of earlier ones. */
export interface ResultLineage {
  /** Result element id to the id of the newest result of the same read with the same arguments. */
  readonly supersededBy: ReadonlyMap<string, string>;
  /** Ids of the newest result of each tool that holds state. */
  readonly newestState: ReadonlySet<string>;
}

/** Finds stale reads and the newest state of stateful tools. An error never makes an earlier answer stale. */
export function traceResults(context: WindowContext, effectOf: EffectOf): ResultLineage {
  const newestRead = new Map<string, string>();
  const supersededBy = new Map<string, string>();
  const newestState = new Map<string, string>();
  for (const result of context.input.elements.toReversed()) {
    const call = context.callOf(result)?.call;
    if (call === undefined || result.settled?.operation === 'evict') continue;
    const contract = context.contracts.find(call.tool)?.contract;
    const usable = result.settled !== undefined || !saysError(context.shapeOf(result));
    if (contract?.stateful === true && usable && !newestState.has(call.tool)) newestState.set(call.tool, result.id);
    if (!isReadOnly(effectOf(call).effect)) continue;
    const key = `${call.tool}\n${canonicalArguments(call.args, call.argumentsText)}`;
    const later = newestRead.get(key);
    if (later !== undefined) supersededBy.set(result.id, later);
    else if (usable) newestRead.set(key, result.id);
  }
  return { supersededBy, newestState: new Set(newestState.values()) };
}
