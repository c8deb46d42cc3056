import { isDeepStrictEqual } from 'node:util';
import { formatOf } from '@holdfast/core';
import { isObject, jsonOf, type JsonObject, listOf, objectOf, stringsIn, textOf, textsOf } from '../json-values';
import { readWindow } from '../window-text';
import { type Checkers, ofOutput, quoted } from './checker';
import { messagesOf } from './field-case';

/** What a provider demands of a window: pairs, ids, roles, nothing empty, reasoning whole. */
export const STRUCTURE_CHECKERS: Checkers = {
  paired_tools: ofOutput((output, { format }) => {
    const [problem] = formatOf(format).validate(output);
    if (problem !== undefined) return `${problem.code} at ${problem.path}`;
    const { calls, results } = pairsIn(messagesOf(output));
    const lonely = [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
    return lonely.length === 0 ? undefined : `without their other half: ${quoted(lonely)}`;
  }),

  unique_call_ids: ofOutput((output) => {
    const { calls } = pairsIn(messagesOf(output));
    const repeated = calls.filter((id, index) => calls.indexOf(id) !== index);
    return repeated.length === 0 ? undefined : `more than once: ${quoted(repeated)}`;
  }),

  args_json: ofOutput((output, { format }) => {
    const broken = readWindow(format, output)?.parts.find(
      (part) => part.call !== undefined && jsonOf(part.call.argumentsText) === undefined,
    );
    return broken === undefined ? undefined : `arguments at ${broken.path} are no JSON`;
  }),

  results_keep_type: ofOutput((output, { givenSource }) => {
    const given = resultTypes(messagesOf(givenSource));
    const changed = [...resultTypes(messagesOf(output))].filter(([id, type]) => given.get(id) !== type);
    return changed.length === 0 ? undefined : `another type: ${quoted(changed.map(([id]) => id))}`;
  }),

  valid_roles: ofOutput((output, { format }) => {
    const [problem] = formatOf(format).validate(output);
    if (problem !== undefined) return `${problem.code} at ${problem.path}`;
    const roles = messagesOf(output).map(({ role }) => textOf(role) ?? '');
    const first = roles.findIndex((role) => !isSystem(role));
    if (first >= 0 && roles[first] !== 'user')
      return `the first message that is no system text is ${roles[first] ?? ''}`;
    return roles.slice(first).some(isSystem) ? 'a system message stands after the first turn' : undefined;
  }),

  last_message_is_user: ofOutput((output) => {
    const role = textOf(messagesOf(output).at(-1)?.['role']);
    return role === 'user' ? undefined : `the last message is ${role ?? 'without a role'}`;
  }),

  no_empty_text: ofOutput((output) => {
    const empty = messagesOf(output)
      .flatMap(partsOf)
      .filter((part) => part['type'] === 'text' && isBlank(part['text']));
    return empty.length === 0 ? undefined : `${empty.length} blank text parts`;
  }),

  no_empty_messages: ofOutput((output) => {
    const empty = messagesOf(output).findIndex(
      (message) => isBlank(message['content']) && listOf(message['tool_calls']).length === 0 && 'content' in message,
    );
    return empty < 0 ? undefined : `message ${empty} says nothing`;
  }),

  no_reasoning_only_message: ofOutput((output) => {
    const bare = messagesOf(output).findIndex((message) => {
      const parts = partsOf(message);
      return parts.length > 0 && parts.every(isReasoning);
    });
    return bare < 0 ? undefined : `message ${bare} holds nothing but reasoning`;
  }),

  thinking: ofOutput((output, { fieldCase }) => {
    const given = fieldCase.window.map(objectOf).flatMap(partsOf).filter(isReasoning);
    const changed = messagesOf(output)
      .flatMap(partsOf)
      .filter(isReasoning)
      .filter((block) => !given.some((source) => isDeepStrictEqual(source, block)));
    return changed.length === 0 ? undefined : `${changed.length} reasoning blocks changed`;
  }),

  thinking_kept: ofOutput((output, _, expected) => {
    const kept = new Set(stringsIn(jsonOf(output)));
    const lost = textsOf(expected).filter((signature) => !kept.has(signature));
    return lost.length === 0 ? undefined : `${lost.length} signatures are gone`;
  }),

  no_thinking_in_finished_turns: ofOutput((output) => {
    const messages = messagesOf(output);
    const lastRequest = messages.findLastIndex(({ role, content }) => role === 'user' && !isOnlyResults(content));
    const left = messages.slice(0, lastRequest).flatMap(partsOf).filter(isReasoning);
    return left.length === 0 ? undefined : `${left.length} reasoning blocks of finished turns`;
  }),
};

function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function partsOf(message: JsonObject): readonly JsonObject[] {
  return listOf(message['content'] ?? message['parts']).map(objectOf);
}

function isReasoning(part: JsonObject): boolean {
  return ['thinking', 'redacted_thinking', 'reasoning'].includes(textOf(part['type']) ?? '');
}

function isOnlyResults(content: unknown): boolean {
  const parts = listOf(content).map(objectOf);
  return parts.length > 0 && parts.every((part) => (textOf(part['type']) ?? '').includes('result'));
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
}

/** Ids of calls and results, in order, whatever the provider. */
function pairsIn(messages: readonly JsonObject[]): { readonly calls: string[]; readonly results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  for (const message of messages) {
    for (const call of listOf(message['tool_calls']).map(objectOf)) push(calls, call['id']);
    if (message['role'] === 'tool') push(results, message['tool_call_id']);
    for (const part of [message, ...partsOf(message)]) {
      const type = textOf(part['type']) ?? '';
      if (type.endsWith('tool_use')) push(calls, part['id']);
      else if (type === 'function_call' || type === 'custom_tool_call') push(calls, part['call_id']);
      else if (type === 'tool-call') push(calls, part['toolCallId']);
      else if (type.endsWith('tool_result')) push(results, part['tool_use_id']);
      else if (type === 'function_call_output' || type === 'custom_tool_call_output') push(results, part['call_id']);
      else if (type === 'tool-result') push(results, part['toolCallId']);
    }
  }
  return { calls, results };
}

function push(ids: string[], id: unknown): void {
  if (typeof id === 'string') ids.push(id);
}

function resultTypes(messages: readonly JsonObject[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const message of messages) {
    for (const part of [message, ...partsOf(message)]) {
      const id = textOf(part['tool_call_id']) ?? textOf(part['tool_use_id']) ?? textOf(part['toolCallId']);
      const content = part['content'] ?? part['output'];
      if (id === undefined || content === undefined) continue;
      types.set(
        id,
        isObject(content)
          ? `object ${textOf(content['type']) ?? ''}`
          : Array.isArray(content)
            ? 'list'
            : typeof content,
      );
    }
  }
  return types;
}
