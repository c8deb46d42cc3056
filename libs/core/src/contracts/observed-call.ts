import type { JsonNode } from '../json';
import type { ReadWindow } from '../window/element';

/** One call of a tool and what it answered. */
export interface ObservedCall {
  readonly tool: string;
  readonly argumentsText: string;
  readonly args: JsonNode | undefined;
  readonly result: string | undefined;
  readonly isError: boolean | undefined;
}

/** The calls of a window with their results, in order. */
export function observedCalls({ parts }: ReadWindow): readonly ObservedCall[] {
  const results = new Map(parts.flatMap((part) => (part.result === undefined ? [] : [[part.result.call, part]])));
  return parts.flatMap(({ index, call }): ObservedCall[] => {
    if (call === undefined) return [];
    const answer = results.get(index);
    return [
      {
        tool: call.tool,
        argumentsText: call.argumentsText,
        args: call.args,
        result: answer?.text,
        isError: answer?.result?.isError,
      },
    ];
  });
}
