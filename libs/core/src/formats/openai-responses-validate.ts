import type { WindowProblem, WindowProblemCode } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { isOfModel, RESPONSES_ROLES, responsesCallId, responsesItemKind } from './openai-responses-items';
import type { WindowSource } from './window-source';

interface OpenCall {
  readonly id: string;
  readonly path: string;
  readonly turn: number;
}

/**
 * The rules of OpenAI's Responses on a list of items: known roles, something said in every message, one output behind
 * each call, reasoning directly before what it led to, item ids unique. Calls behind which nothing but reasoning and
 * calls stands may still run.
 */
export function validateOpenAiResponses(source: WindowSource): WindowProblem[] {
  const problems: WindowProblem[] = [];
  const report = (code: WindowProblemCode, path: string, message: string): void => {
    problems.push({ code, path, message });
  };
  const waiting: OpenCall[] = [];
  const itemIds = new Set<string>();
  /** Counts up with every item that no call of the model's open turn is. */
  let turn = 0;
  source.list.items.forEach((item, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const kind = responsesItemKind(item);
    const next = source.list.items[index + 1];
    if (item.kind !== 'object') report('WINDOW_WRONG_SHAPE', path, 'An item is an object');
    if (kind !== 'call' && kind !== 'reasoning') turn += 1;
    if (kind === 'message') checkMessage(item, path, report);
    if (kind === 'call') {
      const id = responsesCallId(item);
      const isRepeated = waiting.some((call) => call.id === id && call.turn === turn);
      if (isRepeated) report('ELEMENT_ID_DUPLICATE', path, `Two calls of one turn have the id "${id}"`);
      waiting.push({ id, path, turn });
    }
    if (kind === 'output') {
      const id = responsesCallId(item);
      const position = waiting.findLastIndex((call) => call.id === id);
      if (position < 0) report('TOOL_RESULT_ORPHAN', path, `No call before it waits for "${id}"`);
      else waiting.splice(position, 1);
    }
    if (kind === 'reasoning' && next !== undefined && !isOfModel(next, responsesItemKind(next))) {
      report('WINDOW_WRONG_SHAPE', path, 'Reasoning stands directly before what it led to');
    }
    const itemId = kind === 'output' ? undefined : stringValue(member(item, 'id'));
    if (itemId !== undefined && itemIds.has(itemId)) {
      report('ELEMENT_ID_DUPLICATE', `${path}/id`, `Two items have the id "${itemId}"`);
    }
    if (itemId !== undefined) itemIds.add(itemId);
  });
  for (const call of waiting) {
    if (call.turn < turn) report('TOOL_RESULT_MISSING', call.path, `The call "${call.id}" has no output behind it`);
  }
  return problems;
}

function checkMessage(
  item: JsonNode,
  path: string,
  report: (code: WindowProblemCode, path: string, message: string) => void,
): void {
  if (item.kind !== 'object') return;
  if (!RESPONSES_ROLES.has(stringValue(member(item, 'role')) ?? '')) {
    report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
  }
  const content = member(item, 'content');
  // An empty text is accepted, an empty list is not.
  if (content?.kind !== 'string' && items(content).length === 0) {
    report('MESSAGE_EMPTY', path, 'A message says something');
  }
}
