import type { WindowProblem, WindowProblemCode } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { eitherMember } from './either-member';
import { geminiRole } from './gemini-read';
import type { WindowSource } from './window-source';

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

/**
 * The rules of Gemini on a list of contents: known roles, the user's first, something said in every content, calls
 * behind a content that is not the model's, and directly behind them the responses of all. Calls of the last content
 * may still run.
 */
export function validateGemini(source: WindowSource): WindowProblem[] {
  const problems: WindowProblem[] = [];
  const report = (code: WindowProblemCode, path: string, message: string): void => {
    problems.push({ code, path, message });
  };
  let waiting: OpenCall[] = [];
  source.list.items.forEach((content, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = geminiRole(content);
    const parts = items(member(content, 'parts'));
    if (content.kind !== 'object') report('WINDOW_WRONG_SHAPE', path, 'A content is an object');
    else if (role === undefined) report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
    else if (parts.length === 0) report('MESSAGE_EMPTY', path, 'A content has parts');
    if (index === 0 && role === 'assistant') report('ROLE_INVALID', path, 'The first content is the user’s');
    parts.forEach((part, place) => {
      const answered = eitherMember(part, 'functionResponse');
      if (answered === undefined) return;
      const name = stringValue(member(answered, 'name')) ?? '';
      const id = stringValue(member(answered, 'id')) || name;
      const byId = waiting.findIndex((call) => call.id === id);
      const position = byId < 0 ? waiting.findIndex((call) => call.name === name) : byId;
      const partPath = `${path}/parts/${String(place)}`;
      if (position < 0) report('TOOL_RESULT_ORPHAN', partPath, `No call directly before it waits for "${id}"`);
      else waiting.splice(position, 1);
    });
    for (const call of waiting) report('TOOL_RESULT_MISSING', call.path, `The call "${call.id}" has no response`);
    waiting = callsOf(parts, path);
    const before = source.list.items[index - 1];
    if (waiting.length > 0 && before !== undefined && geminiRole(before) === 'assistant') {
      report('ROLE_INVALID', path, 'Calls stand behind the user or responses');
    }
    const repeated = waiting.find((call, place) => {
      const isSame = (other: OpenCall): boolean => other.id === call.id && other.id !== other.name;
      return waiting.findIndex(isSame) !== -1 && waiting.findIndex(isSame) < place;
    });
    if (repeated !== undefined) {
      report('ELEMENT_ID_DUPLICATE', repeated.path, `Two calls of one content have the id "${repeated.id}"`);
    }
  });
  return problems;
}

function callsOf(parts: readonly JsonNode[], path: string): OpenCall[] {
  return parts.flatMap((part, place) => {
    const called = eitherMember(part, 'functionCall');
    if (called === undefined) return [];
    const name = stringValue(member(called, 'name')) ?? '';
    return [{ id: stringValue(member(called, 'id')) || name, name, path: `${path}/parts/${String(place)}` }];
  });
}
