import type { WindowProblem, WindowProblemCode } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { ANTHROPIC_ROLES } from './anthropic-read';
import type { WindowSource } from './window-source';

interface PlacedBlock {
  readonly node: JsonNode;
  readonly path: string;
}

/** Neighbouring messages of one role, which the API reads as one. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: PlacedBlock[];
}

/**
 * The rules of Anthropic's Messages on a list of messages: known roles, a user's message first, no blank text, no empty
 * message but the last, and a turn that begins with the results of all calls of the turn before it.
 */
export function validateAnthropic(source: WindowSource): WindowProblem[] {
  const problems: WindowProblem[] = [];
  const report = (code: WindowProblemCode, path: string, message: string): void => {
    problems.push({ code, path, message });
  };
  const turns: Turn[] = [];
  source.list.items.forEach((message, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = ANTHROPIC_ROLES.get(stringValue(member(message, 'role')) ?? '');
    if (message.kind !== 'object') report('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    else if (role === undefined) report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
    const mayBeEmpty = role === 'assistant' && index === source.list.items.length - 1;
    checkContent(member(message, 'content'), path, mayBeEmpty, report);
    if (role !== 'user' && role !== 'assistant') return;
    if (turns.length === 0 && role === 'assistant') report('ROLE_INVALID', path, 'The first message is a user’s');
    const blocks = items(member(message, 'content')).map((node, block) => ({
      node,
      path: `${path}/content/${String(block)}`,
    }));
    const text = stringValue(member(message, 'content'));
    if (text !== undefined) blocks.push({ node: message, path });
    const turn = turns.at(-1);
    if (turn?.role === role) turn.blocks.push(...blocks);
    else turns.push({ role, blocks });
  });
  turns.forEach((turn, index) => {
    checkPairs(turn, turns[index + 1], report);
    if (index === 0) checkPairs({ role: 'assistant', blocks: [] }, turn, report);
  });
  return problems;
}

type Report = (code: WindowProblemCode, path: string, message: string) => void;

function checkContent(content: JsonNode | undefined, path: string, mayBeEmpty: boolean, report: Report): void {
  const isBlank = (text: string | undefined): boolean => text?.trim() === '';
  if (content?.kind === 'array' && content.items.length > 0) {
    content.items.forEach((block, index) => {
      if (stringValue(member(block, 'type')) === 'text' && isBlank(stringValue(member(block, 'text')))) {
        report('MESSAGE_EMPTY', `${path}/content/${String(index)}`, 'A text block is not blank');
      }
    });
  } else if (content?.kind === 'array' || (content?.kind === 'string' && isBlank(content.value))) {
    if (!mayBeEmpty) report('MESSAGE_EMPTY', path, 'A message is not empty');
  } else if (content?.kind !== 'string') {
    report('WINDOW_WRONG_SHAPE', `${path}/content`, 'Content is a string or a list of blocks');
  }
}

/** The calls of a turn against the results at the start of the next; in the last turn calls may still run. */
function checkPairs(turn: Turn, next: Turn | undefined, report: Report): void {
  if (turn.role !== 'assistant') return;
  const calls = new Map<string, string>();
  for (const { node, path } of turn.blocks) {
    const type = stringValue(member(node, 'type'));
    if (type === 'tool_result') report('TOOL_RESULT_ORPHAN', path, 'A result stands in a user message');
    if (type !== 'tool_use') continue;
    const id = stringValue(member(node, 'id')) ?? '';
    if (calls.has(id)) report('ELEMENT_ID_DUPLICATE', path, `Two calls of one turn have the id "${id}"`);
    calls.set(id, path);
  }
  if (next === undefined) return;
  let isLeading = true;
  for (const { node, path } of next.blocks) {
    const isResult = stringValue(member(node, 'type')) === 'tool_result';
    isLeading &&= isResult;
    if (!isResult) continue;
    const id = stringValue(member(node, 'tool_use_id')) ?? '';
    if (!calls.has(id)) report('TOOL_RESULT_ORPHAN', path, `No call in the turn before it waits for "${id}"`);
    else if (isLeading) calls.delete(id);
  }
  for (const [id, path] of calls) {
    report('TOOL_RESULT_MISSING', path, `The next turn does not begin with the result of "${id}"`);
  }
}
