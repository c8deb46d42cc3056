import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/** Tool that the action of SWE-agent's text form becomes a call of. */
const ACTION_TOOL = 'shell';
/** Tool that the command block of mini-SWE-agent becomes a call of. */
const COMMAND_TOOL = 'bash';
const COMMAND_BLOCK = /```(?:mswea_bash_command|bash)\n([\s\S]*?)\n?```/g;
const MINI_MARK = /```mswea_bash_command\n/;
const MINI_RESULT = /^\s*<returncode>/;

/** Whether the document is a trajectory of SWE-agent. */
export function isSweAgent(root: JsonNode): boolean {
  return items(member(root, 'history')).some(
    (message) => stringValue(member(message, 'role')) !== undefined && member(message, 'agent') !== undefined,
  );
}

/**
 * Reads a trajectory of SWE-agent. In the text form an action is a call of the tool `shell` and the user's message
 * behind it is its result; with function calling the calls are the model's own.
 */
export function readSweAgent(text: string, root: JsonNode): Transcript {
  const turns = new ChatTurns();
  let firstWords: string | undefined;
  items(member(root, 'history')).forEach((message, index) => {
    const role = stringValue(member(message, 'role'));
    const content = contentSource(text, message);
    const calls = items(member(message, 'tool_calls'));
    const action = stringValue(member(message, 'action')) ?? '';
    if (role === 'assistant' && calls.length > 0) {
      turns.addCalls(stringValue(member(message, 'content')) ?? '', calls.map(chatCall));
    } else if (role === 'assistant' && action.trim() !== '') {
      const call = { callId: `action_${String(index)}`, tool: ACTION_TOOL, argumentsText: commandArguments(action) };
      turns.addCalls(stringValue(member(message, 'thought')) ?? '', [call]);
    } else if (role === 'tool') {
      const ids = items(member(message, 'tool_call_ids')).map((id) => stringValue(id) ?? '');
      turns.addResult(ids[0] ?? stringValue(member(message, 'tool_call_id')) ?? '', content ?? '""');
    } else if (role === 'user' && turns.isWaiting) {
      turns.addNextResult(content ?? '""');
    } else if (content !== undefined && (role === 'system' || role === 'user' || role === 'assistant')) {
      turns.addWords(role, content);
      if (role === 'user') firstWords ??= stringValue(member(message, 'content'));
    }
  });
  return transcript('swe-agent', turns, firstWords ?? 'SWE-agent trajectory');
}

/** The list of a trajectory of mini-SWE-agent in its text form; undefined for any other document. */
export function miniSweAgentMessages(root: JsonNode): readonly JsonNode[] | undefined {
  const list = root.kind === 'array' ? root : member(root, 'messages');
  const messages = items(list);
  const isMarked = stringValue(member(root, 'trajectory_format'))?.startsWith('mini-swe-agent') === true;
  const contents = messages.map((message) => stringValue(member(message, 'content')) ?? '');
  const isText =
    contents.some((content) => MINI_MARK.test(content)) &&
    (isMarked || contents.some((content) => MINI_RESULT.test(content)));
  return isText && messages.every((message) => member(message, 'tool_calls') === undefined) ? messages : undefined;
}

/** Reads a trajectory of mini-SWE-agent: the one command block of an answer is a call of the tool `bash`. */
export function readMiniSweAgent(text: string, messages: readonly JsonNode[]): Transcript {
  const turns = new ChatTurns();
  let firstWords: string | undefined;
  messages.forEach((message, index) => {
    const role = stringValue(member(message, 'role'));
    const said = stringValue(member(message, 'content')) ?? '';
    const blocks = role === 'assistant' ? [...said.matchAll(COMMAND_BLOCK)] : [];
    const [block] = blocks;
    const content = contentSource(text, message);
    if (block !== undefined && blocks.length === 1) {
      const command = block[1] ?? '';
      const words = said.slice(0, block.index) + said.slice(block.index + block[0].length);
      const call = { callId: `action_${String(index)}`, tool: COMMAND_TOOL, argumentsText: commandArguments(command) };
      turns.addCalls(words.trim(), [call]);
    } else if (role === 'user' && turns.isWaiting) {
      turns.addNextResult(content ?? '""');
    } else if (content !== undefined && (role === 'system' || role === 'user' || role === 'assistant')) {
      turns.addWords(role, content);
      if (role === 'user') firstWords ??= said;
    }
  });
  return transcript('mini-swe-agent', turns, firstWords ?? 'mini-SWE-agent trajectory');
}

/** Whether the document is a trajectory of mini-SWE-agent whose model calls tools. */
export function isMiniSweAgentCalls(root: JsonNode): boolean {
  if (stringValue(member(root, 'trajectory_format'))?.startsWith('mini-swe-agent') !== true) return false;
  return items(member(root, 'messages')).some(
    (message) => items(member(message, 'tool_calls')).length > 0 || items(member(message, 'output')).length > 0,
  );
}

/**
 * Reads such a trajectory: messages of OpenAI's chat, or answers and outputs of its Responses API, with members of the
 * agent's own beside them. The last message says how the run ended and is no part of the window.
 */
export function readMiniSweAgentCalls(text: string, root: JsonNode): Transcript {
  const turns = new ChatTurns();
  let firstWords: string | undefined;
  items(member(root, 'messages')).forEach((message) => {
    const role = stringValue(member(message, 'role'));
    const content = contentSource(text, message);
    const answered = items(member(message, 'output'));
    const calls = [...items(member(message, 'tool_calls')).map(chatCall), ...answered.flatMap(responsesCall)];
    const said = stringValue(member(message, 'content')) ?? answered.flatMap(responsesWords).join('\n');
    if (calls.length > 0) {
      turns.addCalls(said, calls);
    } else if (answered.length > 0) {
      if (said.trim() !== '') turns.addWords('assistant', quoteJson(said));
    } else if (role === 'tool' || stringValue(member(message, 'type')) === 'function_call_output') {
      const output = member(message, 'output');
      const id = stringValue(member(message, 'tool_call_id')) ?? stringValue(member(message, 'call_id')) ?? '';
      turns.addResult(id, output === undefined ? (content ?? '""') : sourceOf(text, output));
    } else if (content !== undefined && (role === 'system' || role === 'user' || role === 'assistant')) {
      turns.addWords(role, content);
      if (role === 'user') firstWords ??= stringValue(member(message, 'content'));
    }
  });
  return transcript('mini-swe-agent', turns, firstWords ?? 'mini-SWE-agent trajectory');
}

function responsesCall(item: JsonNode): { callId: string; tool: string; argumentsText: string }[] {
  if (stringValue(member(item, 'type')) !== 'function_call') return [];
  const of = (key: string): string => stringValue(member(item, key)) ?? '';
  return [{ callId: of('call_id'), tool: of('name'), argumentsText: of('arguments') }];
}

function responsesWords(item: JsonNode): string[] {
  return items(member(item, 'content')).flatMap((part) => stringValue(member(part, 'text')) ?? []);
}

function transcript(kind: 'swe-agent' | 'mini-swe-agent', turns: ChatTurns, title: string): Transcript {
  const source = chatRequest(turns.toMessages());
  const base = { kind, format: 'openai-chat', source, model: undefined, sessionHint: undefined } as const;
  return { ...base, title: titleOf(title), repairs: turns.repairs };
}

function chatCall(call: JsonNode): { callId: string; tool: string; argumentsText: string } {
  const named = member(call, 'function');
  return {
    callId: stringValue(member(call, 'id')) ?? '',
    tool: stringValue(member(named, 'name')) ?? '',
    argumentsText: stringValue(member(named, 'arguments')) ?? '{}',
  };
}

function commandArguments(command: string): string {
  return `{"command":${quoteJson(command)}}`;
}

/** JSON text of what a message says; undefined where it says nothing. */
function contentSource(text: string, message: JsonNode): string | undefined {
  const content = member(message, 'content');
  if (content === undefined || content.kind === 'null') return undefined;
  const isBlank = content.kind === 'string' ? content.value.trim() === '' : items(content).length === 0;
  return isBlank ? undefined : sourceOf(text, content);
}
