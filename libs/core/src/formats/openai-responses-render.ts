import { member, quoteJson, removeItemsEdit, setMemberEdit, type JsonNode, type TextEdit } from '../json';
import type { Part } from '../window/element';
import { replaceLoneSurrogates } from './lone-surrogates';
import { RESPONSES_OUTPUT, type ResponsesSlot } from './openai-responses-read';
import { resultContentEdits } from './result-content';
import type { Mend } from './tidy-window';
import type { Insertion } from './window-format';
import type { ChangedSlot } from './window-list-render';

/** The edits of one item of which at least one part stays. */
export function responsesItemEdits(
  item: JsonNode | undefined,
  slots: readonly ChangedSlot<ResponsesSlot>[],
): readonly TextEdit[] {
  if (item?.kind !== 'object') return [];
  const edits: TextEdit[] = [];
  const dropped = new Set<number>();
  for (const { part, slot, dropped: leaves, replacement } of slots) {
    if (leaves && slot.at === 'part') dropped.add(slot.part);
    if (replacement === undefined) continue;
    if (part.kind === 'result') edits.push(...resultContentEdits(item, replacement, RESPONSES_OUTPUT));
    else if (slot.at !== 'part') edits.push(setMemberEdit(item, 'content', literal(replacement)));
    else if (slot.node.kind === 'object') edits.push(setMemberEdit(slot.node, 'text', literal(replacement)));
  }
  const content = member(item, 'content');
  if (dropped.size > 0 && content?.kind === 'array') {
    edits.push(...removeItemsEdit(content, (index) => !dropped.has(index)));
  }
  return edits;
}

export function serializeResponsesInsertion({ role, text }: Insertion): string {
  return `{"role":"${role}","content":${literal(text)}}`;
}

/** The API rejects a message without content; one with an empty text it accepts. */
export function mendResponsesPart(part: Part, slot: ResponsesSlot): Mend | undefined {
  return part.kind === 'text' && slot.at === 'item' ? { kind: 'drop' } : undefined;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}
