import { member, parseJson, quoteJson, rebuildArray, setMemberEdit, stringValue } from '../json';
import type { ArrayPart, JsonNode, JsonObject, TextEdit } from '../json';
import { isOfModel, responsesCallId, responsesItemKind } from './openai-responses-items';
import { editedNode, OwnIds } from './settle-pairs';
import { removeMembersEdit } from './window-list-render';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

/** Stands for reasoning of which what it led to is gone: the API takes the two together or not at all. */
export const LONE_REASONING_TEXT = '[Reasoning was left out here: what it led to is not in the window.]';

const LONE_REASONING = `{"role":"assistant","content":${quoteJson(LONE_REASONING_TEXT)}}`;

interface Waiting {
  readonly item: JsonObject;
  readonly id: string;
  readonly turn: number;
  /** Index behind the last item of the model's that its own stands among. */
  readonly behind: number;
}

/**
 * The items with what the API would reject put right: a call of one turn with the id of another gets an id of its own,
 * and so does its output; a call that the window went on without gets an output that says so; an item id that was there
 * before is left out, since it is optional; reasoning that stands alone gives way to a mark.
 */
export function settleResponses(list: string): string {
  const root = parseJson(list, { maxDepth: list.length });
  if (root.kind !== 'array') return list;
  const edits = new Map<number, TextEdit[]>();
  const replaced = new Map<number, string>();
  const inserted = new Map<number, string[]>();
  const edit = (index: number, own: readonly TextEdit[]): void => {
    edits.set(index, [...(edits.get(index) ?? []), ...own]);
  };
  const kinds = root.items.map(responsesItemKind);
  const ids = new OwnIds(root.items.map(responsesCallId));
  const itemIds = new Set<string>();
  const waiting = new Map<string, Waiting[]>();
  const behind = endsOfRuns(root.items);
  let turn = 0;
  root.items.forEach((item, index) => {
    const kind = kinds[index];
    if (item.kind !== 'object') return;
    if (kind !== 'call' && kind !== 'reasoning') turn += 1;
    const itemId = stringValue(member(item, 'id'));
    const isRepeated = kind !== 'output' && itemId !== undefined && itemIds.has(itemId);
    if (isRepeated && mayLoseId(item)) edit(index, removeMembersEdit(item, new Set(['id'])));
    if (itemId !== undefined && kind !== 'output') itemIds.add(itemId);
    if (kind === 'reasoning' && isAlone(root.items[index + 1])) replaced.set(index, LONE_REASONING);
    if (kind === 'call') {
      const callId = responsesCallId(item);
      const same = waiting.get(callId) ?? [];
      const id = same.at(-1)?.turn === turn ? ids.next(callId) : callId;
      if (id !== callId) edit(index, [setMemberEdit(item, 'call_id', quoteJson(id))]);
      waiting.set(callId, [...same, { item, id, turn, behind: behind[index] ?? index + 1 }]);
    }
    if (kind === 'output') {
      const callId = responsesCallId(item);
      const same = waiting.get(callId) ?? [];
      const place = same.findIndex((call) => call.turn === same.at(-1)?.turn);
      const [call] = place < 0 ? [] : same.splice(place, 1);
      if (call !== undefined && call.id !== callId) edit(index, [setMemberEdit(item, 'call_id', quoteJson(call.id))]);
    }
  });
  for (const call of [...waiting.values()].flat()) {
    const output = call.turn < turn ? lostOutput(call) : undefined;
    if (output !== undefined) inserted.set(call.behind, [...(inserted.get(call.behind) ?? []), output]);
  }
  if (edits.size + replaced.size + inserted.size === 0) return list;
  const insertedAt = (place: number): ArrayPart[] => (inserted.get(place) ?? []).map((insert) => ({ insert }));
  const parts = root.items.flatMap((node, item): ArrayPart[] => {
    const own = edits.get(item);
    const replacement = replaced.get(item) ?? (own === undefined ? undefined : editedNode(list, node, own));
    return [...insertedAt(item), replacement === undefined ? { item } : { item, replacement }];
  });
  return rebuildArray(list, root, [...parts, ...insertedAt(root.items.length)]);
}

/** A call that its output finds by the item's id keeps it. */
function mayLoseId(item: JsonNode): boolean {
  return responsesItemKind(item) !== 'call' || stringValue(member(item, 'call_id')) !== undefined;
}

function isAlone(next: JsonNode | undefined): boolean {
  return next !== undefined && !isOfModel(next, responsesItemKind(next));
}

/** For each item the index behind the run of the model's items that it stands in. */
function endsOfRuns(items: readonly JsonNode[]): readonly number[] {
  const ends: number[] = [];
  let end = items.length;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    const isModels = item !== undefined && isOfModel(item, responsesItemKind(item));
    if (!isModels) end = index;
    ends[index] = isModels ? end : index + 1;
  }
  return ends;
}

/** Undefined for a call whose output nobody can make up: a picture of a screen. */
function lostOutput({ item, id }: Waiting): string | undefined {
  const type = stringValue(member(item, 'type')) ?? '';
  const text = quoteJson(MISSING_RESULT_TEXT);
  const head = `{"type":"${type}_output","call_id":${quoteJson(id)}`;
  switch (type) {
    case 'computer_call':
      return undefined;
    case 'local_shell_call':
      return `{"type":"local_shell_call_output","id":${quoteJson(id)},"output":${text}}`;
    case 'shell_call':
      return `${head},"output":[{"stdout":"","stderr":${text},"outcome":{"type":"timeout"}}]}`;
    case 'apply_patch_call':
      return `${head},"status":"failed","output":${text}}`;
    default:
      return `${head},"output":${text}}`;
  }
}
