import type { ToolContract } from '../classify/tool-contract';
import { describeArguments } from '../effects';
import type { Element } from '../window/element';
import { oneLine } from './marks';

/** A call in a few words: `search_flights JFK SFO 2024-05-26`. */
export function describeCall(element: Element, contract: ToolContract | undefined): string {
  const { call } = element;
  if (call === undefined) return `${element.role} ${element.kind}`;
  return oneLine(`${call.tool} ${describeArguments(contract, call)}`);
}
