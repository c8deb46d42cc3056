import type { WindowProblem, WindowProblemCode } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { OPENAI_ROLES } from './openai-chat-read';
import type { WindowSource } from './window-source';

interface OpenCall {
  readonly id: string;
  readonly path: string;
}

/**
 * The rules of OpenAI's Chat Completions on a list of messages: known roles, something said in every message, results
 * directly behind the message whose calls they answer, one for each call. Calls of the last message may still run.
 */
export function validateOpenAiChat(source: WindowSource): WindowProblem[] {
  const problems: WindowProblem[] = [];
  const report = (code: WindowProblemCode, path: string, message: string): void => {
    problems.push({ code, path, message });
  };
  let waiting: OpenCall[] = [];
  source.list.items.forEach((message, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const roleName = stringValue(member(message, 'role')) ?? '';
    const role = OPENAI_ROLES.get(roleName);
    if (message.kind !== 'object') report('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    else if (role === undefined) report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
    if (role === 'tool') {
      const id = stringValue(member(message, roleName === 'function' ? 'name' : 'tool_call_id')) ?? '';
      const position = waiting.findIndex((call) => call.id === id);
      if (position < 0) report('TOOL_RESULT_ORPHAN', path, `No call directly before it waits for "${id}"`);
      else waiting.splice(position, 1);
      return;
    }
    for (const call of waiting)
      report('TOOL_RESULT_MISSING', call.path, `The call "${call.id}" has no result behind it`);
    waiting = role === 'assistant' ? callsOf(message, path) : [];
    const repeated = waiting.find((call, place) => waiting.findIndex((other) => other.id === call.id) < place);
    if (repeated !== undefined) {
      report('ELEMENT_ID_DUPLICATE', repeated.path, `Two calls of one message have the id "${repeated.id}"`);
    }
    if (role !== undefined && waiting.length === 0 && saysNothing(message, role === 'assistant')) {
      report('MESSAGE_EMPTY', path, 'A message says something or calls a tool');
    }
  });
  return problems;
}

function callsOf(message: JsonNode, path: string): OpenCall[] {
  const calls = items(member(message, 'tool_calls')).map((call, index) => ({
    id: stringValue(member(call, 'id')) ?? '',
    path: `${path}/tool_calls/${String(index)}`,
  }));
  const legacy = stringValue(member(member(message, 'function_call'), 'name'));
  return legacy === undefined ? calls : [...calls, { id: legacy, path: `${path}/function_call` }];
}

function saysNothing(message: JsonNode, isAssistant: boolean): boolean {
  const keys = isAssistant ? ['content', 'refusal', 'audio'] : ['content'];
  return keys.every((key) => {
    const value = member(message, key);
    if (value === undefined || value.kind === 'null') return true;
    if (value.kind === 'string') return value.value === '';
    return value.kind === 'array' && value.items.length === 0;
  });
}
