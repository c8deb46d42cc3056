import { isJsonError, items, member, memberEntries, parseJson, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';
import { langChainMessage } from './langchain-message';
import { responsesItemKind } from './openai-responses-items';

const ELEMENT_KEYS = ['regenerable', 'idempotent', 'task_critical', 'externalized', 'idempotency_key'] as const;
const OPENAI_ROLES: ReadonlySet<string> = new Set(['tool', 'developer', 'function']);
const OPENAI_ITEM_TYPES: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file', 'refusal']);
const RESPONSES_PART_TYPES: ReadonlySet<string> = new Set(['input_text', 'output_text', 'input_image', 'input_file']);
const RESPONSES_OPAQUE_TYPES: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_summary',
  'item_reference',
  'additional_tools',
  'mcp_list_tools',
  'mcp_approval_request',
]);
const AI_SDK_TYPES: ReadonlySet<string> = new Set(['tool-call', 'tool-result', 'reasoning', 'redacted-reasoning']);
/** What a block without a type says only in Bedrock's Converse. */
const BEDROCK_KEYS: ReadonlySet<string> = new Set([
  'text',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'cachePoint',
  'image',
  'document',
]);
const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);
/** Lists that only one format's request has. */
const LISTS_OF_ONE: readonly (readonly [string, FormatName])[] = [
  ['elements', 'elements'],
  ['contents', 'gemini'],
  ['input', 'openai-responses'],
];

/**
 * The format of a source by what it shows: a list, field, role or block that only one format has, else the model's name
 * or another field of the request, else `openai-chat`. Undefined where the text is no JSON or none of the formats.
 */
export function detectFormat(source: string): FormatName | undefined {
  let root: JsonNode;
  try {
    root = parseJson(source);
  } catch (thrown) {
    if (isJsonError(thrown)) return undefined;
    throw thrown;
  }
  for (const [key, format] of LISTS_OF_ONE) {
    const list = member(root, key);
    const isTaken = list?.kind === 'array' || (list?.kind === 'string' && format !== 'elements');
    if (isTaken && member(root, 'messages') === undefined) return format;
  }
  const prompt = member(root, 'prompt');
  if (prompt?.kind === 'array') return 'ai-sdk';
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
  if (isLangChain(message)) return 'langchain';
  if (isResponsesItem(message)) return 'openai-responses';
  const parts = member(message, 'parts');
  if (parts?.kind === 'array') {
    const isTyped = parts.items.some((part) => stringValue(member(part, 'type')) !== undefined);
    return isTyped ? 'ai-sdk' : 'gemini';
  }
  for (const block of items(member(message, 'content'))) {
    const format = formatOfBlock(block);
    if (format !== undefined) return format;
  }
  const role = stringValue(member(message, 'role')) ?? '';
  const isCalling = member(message, 'tool_calls') !== undefined || member(message, 'function_call') !== undefined;
  return OPENAI_ROLES.has(role) || isCalling ? 'openai-chat' : undefined;
}

/** Wrapped, or named by a type that no other format has, or with calls whose arguments stand beside the name. */
function isLangChain(message: JsonNode): boolean {
  const read = langChainMessage(message);
  if (read === undefined) return false;
  if (read.wrap !== 'plain') return true;
  const isTyped = stringValue(member(message, 'type')) !== undefined && member(message, 'content') !== undefined;
  const calls = items(member(message, 'tool_calls'));
  return isTyped || calls.some((call) => member(call, 'args') !== undefined && member(call, 'function') === undefined);
}

function isResponsesItem(item: JsonNode): boolean {
  const type = stringValue(member(item, 'type'));
  if (type !== undefined && (responsesItemKind(item) !== 'opaque' || RESPONSES_OPAQUE_TYPES.has(type))) return true;
  return items(member(item, 'content')).some((part) =>
    RESPONSES_PART_TYPES.has(stringValue(member(part, 'type')) ?? ''),
  );
}

function formatOfBlock(block: JsonNode): FormatName | undefined {
  const type = stringValue(member(block, 'type'));
  if (type === undefined) {
    const [only, ...more] = memberEntries(block);
    return only !== undefined && more.length === 0 && BEDROCK_KEYS.has(only.key) ? 'bedrock-converse' : undefined;
  }
  const isFile = member(block, 'mediaType') !== undefined || member(block, 'mimeType') !== undefined;
  const isPicture = type === 'image' && member(block, 'image') !== undefined;
  if (AI_SDK_TYPES.has(type) || isPicture || (type === 'file' && isFile)) return 'ai-sdk';
  if (OPENAI_ITEM_TYPES.has(type)) return 'openai-chat';
  return type === '' || type === 'text' ? undefined : 'anthropic';
}

function formatOfEnvelope(root: JsonNode): FormatName {
  if (member(root, 'toolConfig') !== undefined || member(root, 'inferenceConfig') !== undefined) {
    return 'bedrock-converse';
  }
  const tool = items(member(root, 'tools'))[0];
  if (member(tool, 'function') !== undefined) return 'openai-chat';
  const isAnthropic =
    member(root, 'system') !== undefined ||
    member(tool, 'input_schema') !== undefined ||
    stringValue(member(root, 'model'))?.includes('claude') === true;
  return isAnthropic ? 'anthropic' : 'openai-chat';
}
