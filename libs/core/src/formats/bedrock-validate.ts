import type { WindowProblem, WindowProblemCode } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { BEDROCK_ROLES } from './bedrock-read';
import type { WindowSource } from './window-source';

/**
 * The rules of Bedrock's Converse on a list of messages: user and assistant in turn, the user first, no empty message
 * and no blank text, and directly behind calls the results of all. Calls of the last message may still run.
 */
export function validateBedrock(source: WindowSource): WindowProblem[] {
  const problems: WindowProblem[] = [];
  const report = (code: WindowProblemCode, path: string, message: string): void => {
    problems.push({ code, path, message });
  };
  let waiting = new Map<string, string>();
  let roleBefore = 'assistant';
  source.list.items.forEach((message, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const roleName = stringValue(member(message, 'role')) ?? '';
    const blocks = items(member(message, 'content'));
    if (message.kind !== 'object') report('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    else if (!BEDROCK_ROLES.has(roleName)) report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
    else if (roleName === roleBefore) report('ROLE_INVALID', path, 'User and assistant speak in turn, the user first');
    else if (blocks.length === 0) report('MESSAGE_EMPTY', path, 'A message has content');
    roleBefore = roleName;
    const calls = new Map<string, string>();
    blocks.forEach((block, place) => {
      const blockPath = `${path}/content/${String(place)}`;
      if (stringValue(member(block, 'text'))?.trim() === '') {
        report('MESSAGE_EMPTY', blockPath, 'A text block is not blank');
      }
      const called = idOf(member(block, 'toolUse'));
      if (called !== undefined) {
        if (calls.has(called)) {
          report('ELEMENT_ID_DUPLICATE', blockPath, `Two calls of one message have the id "${called}"`);
        }
        calls.set(called, blockPath);
      }
      const answered = idOf(member(block, 'toolResult'));
      if (answered !== undefined && !waiting.delete(answered)) {
        report('TOOL_RESULT_ORPHAN', blockPath, `No call in the message before it waits for "${answered}"`);
      }
    });
    for (const [id, callPath] of waiting) report('TOOL_RESULT_MISSING', callPath, `The call "${id}" has no result`);
    waiting = calls;
  });
  return problems;
}

function idOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'object' ? (stringValue(member(node, 'toolUseId')) ?? '') : undefined;
}
