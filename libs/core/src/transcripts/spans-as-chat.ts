import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ChatTurns, chatRequest } from './chat-turns';
import { titleOf, type Transcript } from './transcript';

/**
 * A trace that shows no list of messages as a chat, in the order of time: what went into a model is the user's, what
 * came out the model's, and a tool's span is a call with its result. Undefined where no model said anything.
 */
export function spansAsChat(text: string, root: JsonNode): Transcript | undefined {
  const turns = new ChatTurns();
  const spans = items(member(root, 'observations')).toSorted((a, b) => {
    const [first, second] = [startOf(a), startOf(b)];
    return first === second ? 0 : first < second ? -1 : 1;
  });
  let hasWords = false;
  spans.forEach((span, index) => {
    const type = stringValue(member(span, 'type'));
    const input = wordsOf(text, member(span, 'input'));
    const output = wordsOf(text, member(span, 'output'));
    if (type === 'GENERATION') {
      if (input !== undefined) turns.addWords('user', quoteJson(input));
      if (output !== undefined) turns.addWords('assistant', quoteJson(output));
      hasWords ||= output !== undefined;
    } else if (type === 'TOOL') {
      const callId = `span_${String(index)}`;
      const tool = stringValue(member(span, 'name')) ?? 'tool';
      turns.addCalls('', [{ callId, tool, argumentsText: input ?? '{}' }]);
      if (output !== undefined) turns.addResult(callId, quoteJson(output));
    }
  });
  if (!hasWords) return undefined;
  const trace = member(root, 'trace');
  return {
    kind: 'trace',
    format: 'openai-chat',
    source: chatRequest(turns.toMessages()),
    model: undefined,
    sessionHint: stringValue(member(trace, 'sessionId')) ?? stringValue(member(trace, 'id')),
    title: titleOf(stringValue(member(trace, 'name')) ?? 'Trace'),
    repairs: turns.repairs,
  };
}

function startOf(span: JsonNode): string {
  return stringValue(member(span, 'startTime')) ?? '';
}

/** What an input or output says; undefined where it says nothing. */
function wordsOf(text: string, node: JsonNode | undefined): string | undefined {
  if (node === undefined || node.kind === 'null') return undefined;
  const words = stringValue(node) ?? sourceOf(text, node);
  return words.trim() === '' ? undefined : words;
}
