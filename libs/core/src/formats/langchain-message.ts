import { items, member, stringValue, type JsonNode, type JsonObject } from '../json';
import type { Role } from '../window/element';

export const LANGCHAIN_TYPES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** A message of LangChain: how it is wrapped, and the object that holds its content. */
export interface LangChainMessage {
  /** `constructor` is what `dumpd` and `toJSON` write, `stored` is `{type, data}`, `plain` the content beside the type. */
  readonly wrap: 'constructor' | 'stored' | 'plain';
  readonly role: Role;
  readonly held: JsonObject;
  /** The JSON pointer of `held` within the message. */
  readonly heldPath: string;
}

/** The message of a list item; undefined where it is none or has an unknown type. */
export function langChainMessage(node: JsonNode): LangChainMessage | undefined {
  if (node.kind !== 'object') return undefined;
  const type = stringValue(member(node, 'type'));
  const kwargs = member(node, 'kwargs');
  if (type === 'constructor' && kwargs?.kind === 'object') {
    const name = stringValue(items(member(node, 'id')).at(-1)) ?? '';
    const role =
      roleOf(stringValue(member(kwargs, 'type'))) ?? roleOf(name) ?? roleOf(stringValue(member(kwargs, 'role')));
    return role === undefined ? undefined : { wrap: 'constructor', role, held: kwargs, heldPath: '/kwargs' };
  }
  const typed = roleOf(type);
  const role = typed ?? roleOf(stringValue(member(node, 'role')));
  if (role === undefined) return undefined;
  const stored = member(node, 'data');
  if (typed !== undefined && stored?.kind === 'object')
    return { wrap: 'stored', role, held: stored, heldPath: '/data' };
  return { wrap: 'plain', role, held: node, heldPath: '' };
}

/** The role of a type (`ai`) or of a class (`AIMessageChunk`). */
function roleOf(name: string | undefined): Role | undefined {
  if (name === undefined) return undefined;
  return LANGCHAIN_TYPES.get(name.replace(/Message(Chunk)?$/, '').toLowerCase());
}

/** Whether a block of the content repeats a call that `tool_calls` holds, in the provider's own words. */
export function isCallBlock(block: JsonNode): boolean {
  const type = stringValue(member(block, 'type')) ?? '';
  return ['tool_use', 'tool_call', 'function_call', 'input_json_delta', 'tool_call_chunk'].includes(type);
}

/** The call that such a block repeats. */
export function callBlockId(block: JsonNode): string | undefined {
  return stringValue(member(block, 'call_id')) ?? stringValue(member(block, 'id'));
}
