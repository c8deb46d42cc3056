import { member, sourceOf, stringValue, type JsonNode } from '../json';
import type { ToolCall } from '../window/element';

/** A part of a UIMessage that holds a call and, once it is there, its result. */
export interface ToolState {
  readonly node: JsonNode;
  readonly call: ToolCall;
  /** The member of `node` that holds the result; undefined while there is none. */
  readonly resultKey: 'output' | 'errorText' | 'result' | 'approval' | undefined;
}

/** The tool part of a UIMessage, of any version; undefined for any other part. */
export function toolState(text: string, part: JsonNode): ToolState | undefined {
  const type = stringValue(member(part, 'type')) ?? '';
  const invocation = type === 'tool-invocation' ? member(part, 'toolInvocation') : undefined;
  const node = invocation ?? part;
  const state = stringValue(member(node, 'state'));
  if (state === undefined || (!type.startsWith('tool-') && type !== 'dynamic-tool')) return undefined;
  const args = member(node, 'input') ?? member(node, 'args') ?? member(node, 'rawInput');
  const named = type.startsWith('tool-') && invocation === undefined ? type.slice('tool-'.length) : '';
  const call = {
    callId: stringValue(member(node, 'toolCallId')) ?? '',
    tool: stringValue(member(node, 'toolName')) ?? named,
    argumentsText: args === undefined ? '' : sourceOf(text, args),
    args,
  };
  const keys = {
    'output-available': 'output',
    'output-error': 'errorText',
    'output-denied': 'approval',
    result: 'result',
  } as const;
  const preliminary = member(node, 'preliminary');
  const isRunning = preliminary?.kind === 'boolean' && preliminary.value;
  return { node, call, resultKey: isRunning ? undefined : keys[state as keyof typeof keys] };
}
