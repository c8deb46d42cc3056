import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/** Actions that no model made or that say nothing to it. */
const BESIDE_ACTIONS: ReadonlySet<string> = new Set(['change_agent_state', 'recall', 'null', 'condensation_request']);
const BESIDE_OBSERVATIONS: ReadonlySet<string> = new Set(['agent_state_changed', 'null']);

/** The events of a session of OpenHands: the document, or its `history`; undefined for any other document. */
export function openHandsEvents(root: JsonNode): readonly JsonNode[] | undefined {
  const list = root.kind === 'array' ? root : member(root, 'history');
  const isEvent = (event: JsonNode): boolean =>
    member(event, 'source') !== undefined &&
    (member(event, 'action') !== undefined || member(event, 'observation') !== undefined);
  const events = items(list);
  return events.length > 0 && events.every(isEvent) ? events : undefined;
}

/**
 * Reads the events of OpenHands. A call is what the model wrote in `tool_call_metadata`, where the log has it, else the
 * action with its `args`; an observation is its result. What a condensation forgot is left out, its summary stands there.
 */
export function readOpenHands(text: string, events: readonly JsonNode[]): Transcript {
  const reader = new EventReader(text, forgottenEvents(events));
  for (const event of events) reader.read(event);
  return reader.transcript();
}

class EventReader {
  private readonly turns = new ChatTurns();
  private tools: string | undefined;
  private model: string | undefined;
  private firstWords: string | undefined;

  constructor(
    private readonly text: string,
    private readonly forgotten: ReadonlySet<string>,
  ) {}

  read(event: JsonNode): void {
    if (this.forgotten.has(numberSource(this.text, member(event, 'id')) ?? '')) return;
    const action = stringValue(member(event, 'action'));
    const observation = stringValue(member(event, 'observation'));
    if (observation !== undefined) this.readObservation(event, observation);
    else if (action !== undefined && !BESIDE_ACTIONS.has(action)) this.readAction(event, action);
  }

  transcript(): Transcript {
    return {
      kind: 'openhands',
      format: 'openai-chat',
      source: chatRequest(this.turns.toMessages(), this.model, this.tools),
      model: this.model,
      sessionHint: undefined,
      title: titleOf(this.firstWords ?? 'OpenHands session'),
      repairs: this.turns.repairs,
    };
  }

  private readAction(event: JsonNode, action: string): void {
    const args = member(event, 'args');
    const isAgent = stringValue(member(event, 'source')) === 'agent';
    if (action === 'system') {
      const tools = member(args, 'tools');
      if (tools?.kind === 'array' && tools.items.length > 0) this.tools = sourceOf(this.text, tools);
      this.addWords('system', member(args, 'content'));
    } else if (action === 'message') {
      if (!isAgent) this.firstWords ??= stringValue(member(args, 'content'));
      this.addWords(isAgent ? 'assistant' : 'user', member(args, 'content'));
    } else if (action === 'finish') {
      this.addWords('assistant', member(args, 'final_thought') ?? member(event, 'message'));
    } else if (action === 'condensation') {
      this.addWords('user', member(args, 'summary'), true);
    } else if (isAgent) {
      this.readCall(event, action, args);
    } else {
      const command = member(args, 'command') ?? member(args, 'code');
      const ran = stringValue(command) ?? (args === undefined ? '' : sourceOf(this.text, args));
      this.turns.addWords('user', quoteJson(`Ran \`${ran}\``));
    }
  }

  private readCall(event: JsonNode, action: string, args: JsonNode | undefined): void {
    const metadata = member(event, 'tool_call_metadata');
    const response = member(metadata, 'model_response');
    this.model ??= stringValue(member(response, 'model'));
    const id = stringValue(member(metadata, 'tool_call_id'));
    const message = member(items(member(response, 'choices'))[0], 'message');
    const made = items(member(message, 'tool_calls')).find((call) => stringValue(member(call, 'id')) === id);
    const given = stringValue(member(member(made, 'function'), 'arguments'));
    const call = {
      callId: id ?? `event_${numberSource(this.text, member(event, 'id')) ?? ''}`,
      tool: stringValue(member(metadata, 'function_name')) ?? action,
      argumentsText: given ?? (args === undefined ? '{}' : sourceOf(this.text, args)),
    };
    const words = stringValue(member(message, 'content')) ?? stringValue(member(args, 'thought')) ?? '';
    this.turns.addCalls(words, [call], stringValue(member(response, 'id')));
  }

  private readObservation(event: JsonNode, observation: string): void {
    if (BESIDE_OBSERVATIONS.has(observation)) return;
    if (observation === 'recall') {
      const extras = member(event, 'extras');
      const learned = items(member(extras, 'microagent_knowledge')).map((known) => member(known, 'content'));
      for (const content of [member(extras, 'repo_instructions'), ...learned]) this.addWords('user', content, true);
      return;
    }
    const metadata = member(event, 'tool_call_metadata');
    const cause = numberSource(this.text, member(event, 'cause'));
    const callId =
      stringValue(member(metadata, 'tool_call_id')) ?? (cause === undefined ? undefined : `event_${cause}`);
    const content = member(event, 'content');
    if (callId === undefined) this.addWords('user', content, true);
    else this.turns.addResult(callId, content === undefined ? '""' : asText(this.text, content));
  }

  private addWords(role: 'system' | 'user' | 'assistant', node: JsonNode | undefined, isSynthetic = false): void {
    const said = stringValue(node);
    if (node === undefined || said === undefined || said.trim() === '') return;
    this.turns.addWords(role, sourceOf(this.text, node), isSynthetic);
  }
}

/** Ids of the events that condensations took out of the window. */
function forgottenEvents(events: readonly JsonNode[]): ReadonlySet<string> {
  const forgotten = new Set<string>();
  for (const event of events) {
    if (stringValue(member(event, 'action')) !== 'condensation') continue;
    const args = member(event, 'args');
    for (const id of items(member(args, 'forgotten_event_ids')))
      if (id.kind === 'number') forgotten.add(String(id.value));
    const first = member(args, 'forgotten_events_start_id');
    const last = member(args, 'forgotten_events_end_id');
    if (first?.kind !== 'number' || last?.kind !== 'number') continue;
    for (const { id } of events.map((each) => ({ id: member(each, 'id') }))) {
      if (id?.kind === 'number' && id.value >= first.value && id.value <= last.value) forgotten.add(String(id.value));
    }
  }
  return forgotten;
}

function numberSource(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'number' ? sourceOf(text, node) : undefined;
}

function asText(text: string, node: JsonNode): string {
  const source = sourceOf(text, node);
  return node.kind === 'string' ? source : quoteJson(source);
}
