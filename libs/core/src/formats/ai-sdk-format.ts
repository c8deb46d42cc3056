import { draftAiSdk, showsUiMessages } from './ai-sdk-read';
import { aiSdkMessageEdits, mendAiSdkPart, serializeAiSdkInsertion } from './ai-sdk-render';
import { validateAiSdk } from './ai-sdk-validate';
import { AI_SDK_PAIRS } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import { settleUiMessages, UI_PAIRS } from './settle-ui-messages';
import type { WindowFormat } from './window-format';
import { fixedSourceTexts } from './window-source';

/**
 * Messages of the AI SDK, of all its versions: ModelMessage (`content`) and UIMessage (`parts`), as a bare list or in an
 * object with `messages` or `prompt`.
 *
 * A tool part of a UIMessage is a call and, when it is there, its result. Structured outputs stay structured where the
 * new text is JSON. Words that the provider keeps under an id or that are signed take no other text. Parts that are not
 * known (data, sources, approvals) are `opaque`; `step-start` says nothing and stays where it is.
 */
export const aiSdkFormat: WindowFormat = providerFormat({
  name: 'ai-sdk',
  joinsTurns: false,
  listKeys: ['messages', 'prompt'],
  draft: draftAiSdk,
  fixedTexts: (source) => fixedSourceTexts(source, ['system', 'tools']),
  mend: mendAiSdkPart,
  edits: aiSdkMessageEdits,
  settle: (list, source) =>
    showsUiMessages(source) ? settlePairs(settleUiMessages(list), UI_PAIRS) : settlePairs(list, AI_SDK_PAIRS),
  serialize: serializeAiSdkInsertion,
  validate: validateAiSdk,
});
