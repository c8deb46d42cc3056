import { draftOpenAiChat, OPENAI_LIST_KEYS } from './openai-chat-read';
import { openAiMessageEdits, serializeOpenAiInsertion } from './openai-chat-render';
import { validateOpenAiChat } from './openai-chat-validate';
import { OPENAI_CHAT_PAIRS } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import type { WindowFormat } from './window-format';
import { fixedSourceTexts } from './window-source';

/**
 * OpenAI's Chat Completions, as a bare list of messages or the whole request.
 *
 * An assistant message is its reasoning, its text and one part a call. Results are paired by position: repeated call
 * ids are common. Problems: `ROLE_INVALID`, `TOOL_RESULT_ORPHAN`, `WINDOW_WRONG_SHAPE`. A call without a result is read
 * (turns are aborted in real life) and reported by `validate` unless it may still run.
 */
export const openaiChatFormat: WindowFormat = providerFormat({
  name: 'openai-chat',
  joinsTurns: false,
  listKeys: OPENAI_LIST_KEYS,
  draft: draftOpenAiChat,
  fixedTexts: (source) => fixedSourceTexts(source, ['tools', 'functions']),
  mend: (part) => (part.kind === 'text' && part.text === '' ? { kind: 'drop' } : undefined),
  edits: openAiMessageEdits,
  settle: (list) => settlePairs(list, OPENAI_CHAT_PAIRS),
  serialize: serializeOpenAiInsertion,
  validate: validateOpenAiChat,
});
