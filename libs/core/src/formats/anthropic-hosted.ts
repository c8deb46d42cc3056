import { member, sourceOf, stringValue, type JsonNode } from '../json';
import type { ToolCall } from '../window/element';
import { readResultContent } from './result-content';

/** Words of a result of a tool that Anthropic, or a server that it asks, runs. */
export interface HostedResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean | undefined;
}

/**
 * Looking for tools loads their definitions into the window: what it found is authoritative, and stays whole.
 * Everything else that the provider runs is a call with its result.
 */
function loadsTools(name: string): boolean {
  return name.startsWith('tool_search');
}

/** The call of a block for a tool that the provider runs; undefined for any other block. */
export function anthropicHostedCall(text: string, block: JsonNode): ToolCall | undefined {
  const type = stringValue(member(block, 'type'));
  const tool = stringValue(member(block, 'name')) ?? '';
  if ((type !== 'server_tool_use' && type !== 'mcp_tool_use') || loadsTools(tool)) return undefined;
  const args = member(block, 'input');
  const argumentsText = args === undefined ? '' : sourceOf(text, args);
  return { callId: stringValue(member(block, 'id')) ?? '', tool, argumentsText, args, hosted: true };
}

/** The result in such a block. It takes no other text: the provider reads back what it encrypted or numbered. */
export function anthropicHostedResult(text: string, block: JsonNode): HostedResult | undefined {
  const type = stringValue(member(block, 'type')) ?? '';
  if (!type.endsWith('_tool_result') || loadsTools(type)) return undefined;
  const content = member(block, 'content');
  const flag = member(block, 'is_error');
  const says = stringValue(member(content, 'type')) ?? '';
  return {
    callId: stringValue(member(block, 'tool_use_id')) ?? '',
    text: readResultContent(text, content, () => undefined).text,
    isError: says.endsWith('_error') || (flag?.kind === 'boolean' && flag.value) ? true : undefined,
  };
}
