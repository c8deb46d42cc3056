import { member, quoteJson, setMemberEdit, type JsonNode, type TextEdit } from '../json';
import type { Part } from '../window/element';
import { typedOutputEdits, valueEdit } from './ai-sdk-output';
import { aiSdkListKey, showsUiMessages } from './ai-sdk-read';
import { toolState } from './ai-sdk-tool-state';
import { replaceLoneSurrogates } from './lone-surrogates';
import { partListEdits, type ListSlot } from './part-list';
import type { Mend } from './tidy-window';
import type { Insertion } from './window-format';
import type { ChangedSlot } from './window-list-render';
import type { WindowSource } from './window-source';

/** The edits of one message of which at least one part stays. */
export function aiSdkMessageEdits(
  message: JsonNode | undefined,
  slots: readonly ChangedSlot<ListSlot>[],
): readonly TextEdit[] {
  const key = aiSdkListKey(message);
  return partListEdits(message, key, slots, (node, part, text): readonly TextEdit[] => {
    if (part.kind !== 'result') {
      return [setMemberEdit(node, node === message ? 'content' : 'text', quoteJson(replaceLoneSurrogates(text)))];
    }
    if (key === 'content') {
      return member(node, 'output') === undefined
        ? [valueEdit(node, 'result', text)]
        : typedOutputEdits(node, 'output', text);
    }
    const state = toolState('', node);
    return state?.resultKey === undefined || state.node.kind !== 'object'
      ? []
      : [valueEdit(state.node, state.resultKey, text)];
  });
}

/** A message of the kind that the list holds. */
export function serializeAiSdkInsertion({ role, text, id }: Insertion, source: WindowSource): string {
  const literal = quoteJson(replaceLoneSurrogates(text));
  if (!showsUiMessages(source)) return `{"role":"${role}","content":${literal}}`;
  return `{"id":${quoteJson(id)},"role":"${role}","parts":[{"type":"text","text":${literal}}]}`;
}

/** Providers reject empty text. */
export function mendAiSdkPart(part: Part): Mend | undefined {
  return part.kind === 'text' && part.text === '' ? { kind: 'drop' } : undefined;
}
