import { isJsonError, items, member, parseJson, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';

const ELEMENT_KEYS = ['regenerable', 'idempotent', 'task_critical', 'externalized', 'idempotency_key'] as const;
const OPENAI_ROLES: ReadonlySet<string> = new Set(['tool', 'developer', 'function']);
const OPENAI_ITEM_TYPES: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file', 'refusal']);
const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);

/**
 * The format of a source by what it shows: a field, role or block that only one format has, else the model's name, else
 * `openai-chat`. Undefined where the text is no JSON or none of the formats.
 */
export function detectFormat(source: string): FormatName | undefined {
  let root: JsonNode;
  try {
    root = parseJson(source);
  } catch (thrown) {
    if (isJsonError(thrown)) return undefined;
    throw thrown;
  }
  if (member(root, 'elements')?.kind === 'array') return 'elements';
  const list = root.kind === 'array' ? root : member(root, 'messages');
  if (list?.kind !== 'array') return undefined;
  const shown = list.items.map(formatShownBy);
  const byMessages = shown.find((name) => name !== undefined);
  if (byMessages !== undefined) return byMessages;
  if (list.items.length > 0 && list.items.every(isPlainElement)) return 'elements';
  if (list.items.some((message) => !ROLES.has(stringValue(member(message, 'role')) ?? ''))) return undefined;
  return formatOfEnvelope(root);
}

/** Messages of a provider carry no ids. */
function isPlainElement(item: JsonNode): boolean {
  return stringValue(member(item, 'id')) !== undefined && member(item, 'content') !== undefined;
}

function formatShownBy(message: JsonNode): FormatName | undefined {
  if (ELEMENT_KEYS.some((key) => member(message, key) !== undefined)) return 'elements';
  const role = stringValue(member(message, 'role')) ?? '';
  const isCalling = member(message, 'tool_calls') !== undefined || member(message, 'function_call') !== undefined;
  if (OPENAI_ROLES.has(role) || isCalling) return 'openai-chat';
  for (const block of items(member(message, 'content'))) {
    const type = stringValue(member(block, 'type')) ?? '';
    if (OPENAI_ITEM_TYPES.has(type)) return 'openai-chat';
    if (type !== '' && type !== 'text') return 'anthropic';
  }
  return undefined;
}

function formatOfEnvelope(root: JsonNode): FormatName {
  const tool = items(member(root, 'tools'))[0];
  if (member(tool, 'function') !== undefined) return 'openai-chat';
  const isAnthropic =
    member(root, 'system') !== undefined ||
    member(tool, 'input_schema') !== undefined ||
    stringValue(member(root, 'model'))?.includes('claude') === true;
  return isAnthropic ? 'anthropic' : 'openai-chat';
}
