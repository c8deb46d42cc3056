import type { ToolContract } from '../classify/tool-contract';
import { describeTarget, NO_TARGET } from '../effects';
import type { Element } from '../window/element';
import { oneLine } from './marks';

/** A call in a few words: `get_order W1234`. */
export function describeCall(element: Element, contract: ToolContract | undefined): string {
  const { call } = element;
  if (call === undefined) return `${element.role} ${element.kind}`;
  const target = describeTarget(contract, call);
  return target === NO_TARGET ? call.tool : oneLine(`${call.tool} ${target}`);
}
