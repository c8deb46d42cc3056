import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest, type ChatCall } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/** Whether the document holds simulations of tau2-bench, or is one. */
export function isTau2Bench(root: JsonNode): boolean {
  return simulationsOf(root).length > 0;
}

/**
 * Reads the longest simulation of a tau2-bench results file as the chat that the agent had: calls that the simulated
 * user made on its own device are no part of it.
 */
export function readTau2Bench(text: string, root: JsonNode): Transcript {
  const longest = simulationsOf(root).reduce((best, one) =>
    messagesOf(one).length > messagesOf(best).length ? one : best,
  );
  const turns = new ChatTurns();
  for (const message of messagesOf(longest)) addMessage(text, turns, message);
  const task = scalar(text, member(longest, 'task_id'));
  const trial = scalar(text, member(longest, 'trial')) ?? '0';
  const policy = stringValue(member(member(member(root, 'info'), 'environment_info'), 'policy'));
  const system = policy === undefined ? [] : [`{"role":"system","content":${quoteJson(policy)}}`];
  const messages = turns.toMessages();
  return {
    kind: 'tau-bench',
    format: 'openai-chat',
    source: chatRequest(
      system.length === 0 ? messages : `[${[...system, messages.slice(1, -1)].filter((one) => one !== '').join(',')}]`,
    ),
    model: undefined,
    sessionHint: task === undefined ? undefined : `tau2-bench-${task}-${trial}`,
    title: titleOf(`tau2-bench task ${task ?? '?'}, trial ${trial}`),
    repairs: turns.repairs,
  };
}

function simulationsOf(root: JsonNode): readonly JsonNode[] {
  const listed = items(member(root, 'simulations'));
  return (listed.length > 0 ? listed : [root]).filter((one) =>
    messagesOf(one).some(
      (message) => member(message, 'turn_idx') !== undefined || member(message, 'requestor') !== undefined,
    ),
  );
}

function messagesOf(simulation: JsonNode): readonly JsonNode[] {
  return items(member(simulation, 'messages'));
}

function addMessage(text: string, turns: ChatTurns, message: JsonNode): void {
  const role = stringValue(member(message, 'role'));
  const said = stringValue(member(message, 'content')) ?? '';
  if (role === 'tool') {
    const several = items(member(message, 'tool_messages'));
    for (const result of several.length > 0 ? several : [message]) addResult(text, turns, result);
  } else if (role === 'assistant') {
    const calls = items(member(message, 'tool_calls')).map((call) => chatCall(text, call));
    if (calls.length > 0) turns.addCalls(said, calls);
    else if (said.trim() !== '') turns.addWords('assistant', quoteJson(said));
  } else if ((role === 'user' || role === 'system') && said.trim() !== '') {
    turns.addWords(role, quoteJson(said));
  }
}

function addResult(text: string, turns: ChatTurns, result: JsonNode): void {
  if (stringValue(member(result, 'requestor')) === 'user') return;
  const content = member(result, 'content');
  const words =
    content === undefined || content.kind === 'null' ? '' : (stringValue(content) ?? sourceOf(text, content));
  turns.addResult(stringValue(member(result, 'id')) ?? '', quoteJson(words));
}

function chatCall(text: string, call: JsonNode): ChatCall {
  const args = member(call, 'arguments');
  return {
    callId: stringValue(member(call, 'id')) ?? '',
    tool: stringValue(member(call, 'name')) ?? '',
    argumentsText: args === undefined ? '{}' : (stringValue(args) ?? sourceOf(text, args)),
  };
}

function scalar(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'number' ? sourceOf(text, node) : stringValue(node);
}
