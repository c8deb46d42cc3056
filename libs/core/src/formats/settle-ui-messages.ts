import { items, member, parseJson, quoteJson, rebuildArray, setMemberEdit, stringValue } from '../json';
import type { ArrayPart, JsonNode, TextEdit } from '../json';
import { toolState } from './ai-sdk-tool-state';
import { isProviderExecuted } from './pair-rules';
import { editedNode, OwnIds, type PairRule } from './settle-pairs';
import { removeMembersEdit } from './window-list-render';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

/**
 * UIMessages with what the AI SDK would reject put right: a call that the window went on without ends in an error that
 * says so, and a message with the id of another gets one of its own.
 */
export function settleUiMessages(list: string): string {
  const root = parseJson(list, { maxDepth: list.length });
  if (root.kind !== 'array') return list;
  const idOf = (message: JsonNode): string | undefined => stringValue(member(message, 'id'));
  const ids = new OwnIds(root.items.flatMap((message) => idOf(message) ?? []));
  const seen = new Set<string>();
  let isChanged = false;
  const parts = root.items.map((message, item): ArrayPart => {
    const edits: TextEdit[] = [];
    const id = idOf(message);
    if (id !== undefined && seen.has(id) && message.kind === 'object') {
      edits.push(setMemberEdit(message, 'id', quoteJson(ids.next(id))));
    }
    if (id !== undefined) seen.add(id);
    if (item < root.items.length - 1) edits.push(...items(member(message, 'parts')).flatMap(endedEdits));
    if (edits.length === 0) return { item };
    isChanged = true;
    return { item, replacement: editedNode(list, message, edits) };
  });
  return isChanged ? rebuildArray(list, root, parts) : list;
}

/** A call that no result followed, as a failed one: `output-error`, or the `result` of older versions. */
function endedEdits(part: JsonNode): readonly TextEdit[] {
  const tool = toolState('', part);
  if (tool?.resultKey !== undefined || tool?.node.kind !== 'object' || isProviderExecuted(tool.node)) return [];
  const { node } = tool;
  const text = quoteJson(MISSING_RESULT_TEXT);
  if (node !== part) return [setMemberEdit(node, 'state', '"result"'), setMemberEdit(node, 'result', text)];
  return [
    setMemberEdit(node, 'state', '"output-error"'),
    setMemberEdit(node, 'errorText', text),
    ...removeMembersEdit(node, new Set(['approval', 'preliminary', 'output'])),
  ];
}

/** Calls of UIMessages without a result: those of the last message may still run, each under an id of its own. */
export const UI_PAIRS: PairRule = {
  callsOf: (message) =>
    items(member(message, 'parts')).flatMap((part) => {
      const tool = toolState('', part);
      if (tool?.node.kind !== 'object' || tool.resultKey !== undefined) return [];
      return [{ id: tool.call.callId, name: '', holder: tool.node, key: 'toolCallId' }];
    }),
  answersOf: () => [],
  endsWithAnswers: false,
  beside: 'behind',
  lostResults: () => [],
};
