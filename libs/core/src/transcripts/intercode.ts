import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/** Whether the document is one task of InterCode. */
export function isIntercode(root: JsonNode): boolean {
  return member(member(root, 'turn_history'), 'actions')?.kind === 'array' && member(root, 'query') !== undefined;
}

/** Reads one task of InterCode: each action is a call of the tool `execute`, its observation the result. */
export function readIntercode(text: string, root: JsonNode): Transcript {
  const turns = new ChatTurns();
  const history = member(root, 'turn_history');
  const query = member(root, 'query');
  const observations = items(member(history, 'observations'));
  if (query !== undefined) turns.addWords('user', asText(text, query));
  items(member(history, 'actions')).forEach((action, index) => {
    const argumentsText = `{"command":${asText(text, action)}}`;
    turns.addCalls('', [{ callId: `action_${String(index)}`, tool: 'execute', argumentsText }]);
    const observation = observations[index];
    if (observation !== undefined) turns.addNextResult(asText(text, observation));
  });
  const task = member(root, 'task_id');
  const name = stringValue(member(root, 'environment')) ?? 'intercode';
  return {
    kind: 'intercode',
    format: 'openai-chat',
    source: chatRequest(turns.toMessages()),
    model: undefined,
    sessionHint: task === undefined ? undefined : `${name}-${sourceOf(text, task)}`,
    title: titleOf(stringValue(query) ?? 'InterCode task'),
    repairs: turns.repairs,
  };
}

/** JSON text of a string: the value's own, or its JSON quoted. */
function asText(text: string, node: JsonNode): string {
  const source = sourceOf(text, node);
  return node.kind === 'string' ? source : quoteJson(source);
}
