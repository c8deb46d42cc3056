import { ANTHROPIC_LIST_KEYS, anthropicFixedTexts, draftAnthropic } from './anthropic-read';
import { anthropicMessageEdits, mendBlank, serializeAnthropicInsertion } from './anthropic-render';
import { validateAnthropic } from './anthropic-validate';
import { ANTHROPIC_PAIRS } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import type { WindowFormat } from './window-format';

/**
 * Anthropic's Messages, as a bare list of messages or the whole request.
 *
 * Every block is a part; a result has the role `tool`. Blocks of tools that the server runs are calls with results; those
 * that load tools, and blocks that the format does not know, are `opaque`. Problems: `ROLE_INVALID`, `TOOL_RESULT_ORPHAN`, `WINDOW_WRONG_SHAPE`. A call
 * without a result is read (turns are aborted in real life) and reported by `validate` unless it may still run.
 */
export const anthropicFormat: WindowFormat = providerFormat({
  name: 'anthropic',
  joinsTurns: true,
  listKeys: ANTHROPIC_LIST_KEYS,
  draft: draftAnthropic,
  fixedTexts: anthropicFixedTexts,
  mend: mendBlank,
  edits: anthropicMessageEdits,
  settle: (list) => settlePairs(list, ANTHROPIC_PAIRS),
  serialize: serializeAnthropicInsertion,
  validate: validateAnthropic,
});
