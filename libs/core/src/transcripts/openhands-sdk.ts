import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/** The events of OpenHands' agent SDK: a list of `{kind, source}`, or in `events`; undefined for any other document. */
export function openHandsSdkEvents(root: JsonNode): readonly JsonNode[] | undefined {
  const events = items(root.kind === 'array' ? root : member(root, 'events'));
  const isEvent = (event: JsonNode): boolean =>
    member(event, 'source') !== undefined && stringValue(member(event, 'kind')) !== undefined;
  const hasWords = events.some((event) => ['MessageEvent', 'ActionEvent'].includes(kindOf(event)));
  return hasWords && events.every(isEvent) ? events : undefined;
}

/** Reads the events of OpenHands' agent SDK; what a condensation forgot is left out, its summary stands there. */
export function readOpenHandsSdk(text: string, events: readonly JsonNode[]): Transcript {
  const turns = new ChatTurns();
  const forgotten = new Set(
    events.flatMap((event) => items(member(event, 'forgotten_event_ids')).map((id) => stringValue(id))),
  );
  let firstWords: string | undefined;
  for (const event of events) {
    if (forgotten.has(stringValue(member(event, 'id')))) continue;
    const callId = stringValue(member(event, 'tool_call_id')) ?? '';
    switch (kindOf(event)) {
      case 'SystemPromptEvent':
        addWords(turns, 'system', stringValue(member(member(event, 'system_prompt'), 'text')));
        break;
      case 'MessageEvent': {
        const message = member(event, 'llm_message');
        const words = wordsOf(member(message, 'content'));
        const isAgent = stringValue(member(message, 'role')) === 'assistant';
        if (!isAgent) firstWords ??= words;
        addWords(turns, isAgent ? 'assistant' : 'user', words);
        break;
      }
      case 'ActionEvent':
        addCall(text, turns, event, callId);
        break;
      case 'ObservationEvent': {
        const observation = member(event, 'observation');
        const said = wordsOf(member(observation, 'content'));
        const source = observation === undefined ? '' : sourceOf(text, observation);
        turns.addResult(callId, quoteJson(said ?? source));
        break;
      }
      case 'AgentErrorEvent':
        turns.addResult(callId, quoteJson(stringValue(member(event, 'error')) ?? ''));
        break;
      case 'UserRejectObservation':
        turns.addResult(callId, quoteJson(stringValue(member(event, 'rejection_reason')) ?? ''));
        break;
      case 'Condensation':
        addWords(turns, 'user', stringValue(member(event, 'summary')), true);
        break;
    }
  }
  return {
    kind: 'openhands',
    format: 'openai-chat',
    source: chatRequest(turns.toMessages()),
    model: undefined,
    sessionHint: undefined,
    title: titleOf(firstWords ?? 'OpenHands session'),
    repairs: turns.repairs,
  };
}

function addCall(text: string, turns: ChatTurns, event: JsonNode, callId: string): void {
  const made = member(event, 'tool_call');
  const named = member(made, 'function') ?? made;
  const action = member(event, 'action');
  const call = {
    callId,
    tool: stringValue(member(named, 'name')) ?? stringValue(member(event, 'tool_name')) ?? '',
    argumentsText: stringValue(member(named, 'arguments')) ?? (action === undefined ? '{}' : sourceOf(text, action)),
  };
  const words = wordsOf(member(event, 'thought')) ?? '';
  turns.addCalls(words, [call], stringValue(member(event, 'llm_response_id')));
}

function addWords(
  turns: ChatTurns,
  role: 'system' | 'user' | 'assistant',
  words: string | undefined,
  isSynthetic = false,
): void {
  if (words !== undefined && words.trim() !== '') turns.addWords(role, quoteJson(words), isSynthetic);
}

/** The words of blocks, or of a text; undefined where there are none. */
function wordsOf(content: JsonNode | undefined): string | undefined {
  if (content?.kind !== 'array') return stringValue(content);
  const texts = content.items.map((block) => stringValue(member(block, 'text'))).filter((said) => said !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n');
}

function kindOf(event: JsonNode): string {
  return stringValue(member(event, 'kind')) ?? '';
}
