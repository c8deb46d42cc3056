import { items, member, quoteJson, removeItemsEdit, setMemberEdit, type JsonNode, type TextEdit } from '../json';
import type { Part } from '../window/element';
import type { AnthropicSlot } from './anthropic-read';
import { replaceLoneSurrogates } from './lone-surrogates';
import { resultContentEdits } from './result-content';
import type { Mend } from './tidy-window';
import type { Insertion } from './window-format';
import type { ChangedSlot } from './window-list-render';

/** The edits of one message of which at least one part stays. */
export function anthropicMessageEdits(
  message: JsonNode | undefined,
  slots: readonly ChangedSlot<AnthropicSlot>[],
): readonly TextEdit[] {
  if (message?.kind !== 'object') return [];
  const edits: TextEdit[] = [];
  const dropped = new Set<number>();
  for (const { part, slot, dropped: leaves, replacement } of slots) {
    if (leaves && slot.at === 'block') dropped.add(slot.block);
    if (replacement === undefined) continue;
    if (slot.at !== 'block') edits.push(setMemberEdit(message, 'content', literal(replacement)));
    else if (slot.node.kind !== 'object') continue;
    else if (part.kind === 'result') edits.push(...resultContentEdits(slot.node, replacement));
    else edits.push(setMemberEdit(slot.node, 'text', literal(replacement)));
  }
  const content = member(message, 'content');
  if (content?.kind === 'array') edits.push(...removeItemsEdit(content, (index) => !dropped.has(index)));
  return edits;
}

export function serializeAnthropicInsertion({ role, text }: Insertion): string {
  return `{"role":"${role}","content":${literal(text)}}`;
}

function literal(text: string): string {
  return quoteJson(replaceLoneSurrogates(text));
}

/** The API rejects blank text blocks, in results too. */
export function mendBlank(part: Part, slot: AnthropicSlot): Mend | undefined {
  if (part.text.trim() !== '') return undefined;
  if (part.kind === 'text') return { kind: 'drop' };
  const isBlankResult = part.kind === 'result' && part.editable && part.attachment === undefined && slot.at === 'block';
  if (!isBlankResult || items(member(slot.node, 'content')).length === 0) return undefined;
  return { kind: 'replace', text: '' };
}
