import type { WindowProblem } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { AI_SDK_ROLES, aiSdkListKey } from './ai-sdk-read';
import { toolState } from './ai-sdk-tool-state';
import { isProviderExecuted } from './pair-rules';
import { DirectPairs, type PlacedCall } from './direct-pairs';
import type { WindowSource } from './window-source';

/**
 * The rules of the AI SDK on a list of messages: known roles, something said in every message, results directly behind
 * the message whose calls they answer. A UIMessage holds call and result in one part; one without a result may only
 * stand in the last message. Ids of UIMessages are unique.
 */
export function validateAiSdk(source: WindowSource): WindowProblem[] {
  const pairs = new DirectPairs();
  const messageIds = new Set<string>();
  source.list.items.forEach((message, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const key = aiSdkListKey(message);
    const content = member(message, key);
    const role = AI_SDK_ROLES.get(stringValue(member(message, 'role')) ?? '');
    if (message.kind !== 'object') pairs.report('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    else if (role === undefined) pairs.report('ROLE_INVALID', `${path}/role`, 'The API has no such role');
    const calls: PlacedCall[] = [];
    const answers: PlacedCall[] = [];
    items(content).forEach((part, place) => {
      const partPath = `${path}/${key}/${String(place)}`;
      const id = stringValue(member(part, 'toolCallId')) ?? '';
      const type = stringValue(member(part, 'type'));
      if (type === 'tool-call' && !isProviderExecuted(part)) calls.push({ id, path: partPath });
      if (type === 'tool-result' && role === 'tool') answers.push({ id, path: partPath });
      const state = key === 'parts' ? toolState('', part) : undefined;
      if (state !== undefined && state.resultKey === undefined) calls.push({ id: state.call.callId, path: partPath });
    });
    if (role !== 'tool') pairs.begin(calls);
    for (const { id, path: partPath } of answers) pairs.answer(id, partPath);
    if (message.kind === 'object' && saysNothing(content))
      pairs.report('MESSAGE_EMPTY', path, 'A message says something');
    const messageId = key === 'parts' ? stringValue(member(message, 'id')) : undefined;
    if (messageId !== undefined && messageIds.has(messageId)) {
      pairs.report('ELEMENT_ID_DUPLICATE', `${path}/id`, `Two messages have the id "${messageId}"`);
    }
    if (messageId !== undefined) messageIds.add(messageId);
  });
  return pairs.problems;
}

function saysNothing(content: JsonNode | undefined): boolean {
  return content?.kind === 'string' ? content.value === '' : items(content).length === 0;
}
