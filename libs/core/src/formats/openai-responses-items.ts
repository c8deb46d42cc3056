import { member, stringValue, type JsonNode } from '../json';
import type { Role } from '../window/element';

/** What an item of the Responses API is to a window. */
export type ResponsesItemKind = 'message' | 'reasoning' | 'call' | 'output' | 'opaque';

/** Calls that the client runs, with the member that holds their arguments and the name of a tool without one. */
export const RESPONSES_CALLS: ReadonlyMap<string, { readonly argumentsKey: string; readonly tool: string }> = new Map([
  ['function_call', { argumentsKey: 'arguments', tool: '' }],
  ['custom_tool_call', { argumentsKey: 'input', tool: '' }],
  ['local_shell_call', { argumentsKey: 'action', tool: 'local_shell' }],
  ['shell_call', { argumentsKey: 'action', tool: 'shell' }],
  ['apply_patch_call', { argumentsKey: 'operation', tool: 'apply_patch' }],
  ['computer_call', { argumentsKey: 'action', tool: 'computer' }],
]);

export const RESPONSES_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

/** Items without a type are messages. Items of tools that the server runs are told apart from others by the reader. */
export function responsesItemKind(item: JsonNode): ResponsesItemKind {
  const type = stringValue(member(item, 'type')) ?? 'message';
  if (type === 'message' || type === 'reasoning') return type;
  if (RESPONSES_CALLS.has(type)) return 'call';
  return type.endsWith('_call_output') ? 'output' : 'opaque';
}

/** The id by which a call and its output find each other; empty where there is none. */
export function responsesCallId(item: JsonNode): string {
  return stringValue(member(item, 'call_id')) ?? stringValue(member(item, 'id')) ?? '';
}

/**
 * Which items follow on the item before them as one turn of the model: calls behind calls, and whatever the model put
 * out behind its reasoning (`isReasoned`: the turn so far begins with reasoning). The API rejects reasoning without
 * what it led to, and that without its reasoning.
 */
export function continuesTurn(item: JsonNode, before: JsonNode | undefined, isReasoned: boolean): boolean {
  if (before === undefined) return false;
  const kind = responsesItemKind(item);
  const previous = responsesItemKind(before);
  if (isReasoned) return kind !== 'reasoning' && isOfModel(item, kind);
  const isOfProgram = previous === 'opaque' && member(item, 'caller')?.kind === 'object';
  return kind === 'call' && (previous === 'call' || isOfProgram);
}

/** Whether reasoning may lead to that item. */
export function isOfModel(item: JsonNode, kind: ResponsesItemKind): boolean {
  if (kind === 'message') return stringValue(member(item, 'role')) === 'assistant';
  if (kind === 'opaque') return opaqueItemRole(item) === 'assistant';
  return kind !== 'output';
}

/** The role of a part that is kept as it is. */
export function opaqueItemRole(item: JsonNode): Role {
  const role = RESPONSES_ROLES.get(stringValue(member(item, 'role')) ?? '');
  if (role !== undefined) return role;
  const type = stringValue(member(item, 'type')) ?? '';
  if (type === 'mcp_approval_response') return 'user';
  return type.endsWith('_output') ? 'tool' : 'assistant';
}
