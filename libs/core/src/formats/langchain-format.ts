import type { WindowProblem } from '../errors';
import { items, member, stringValue, type JsonNode } from '../json';
import { DirectPairs } from './direct-pairs';
import { langChainMessage } from './langchain-message';
import { draftLangChain } from './langchain-read';
import { langChainMessageEdits, serializeLangChainInsertion } from './langchain-render';
import { langChainPairs } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import type { WindowFormat } from './window-format';
import { fixedSourceTexts, type WindowSource } from './window-source';

/**
 * Messages of LangChain: as `dumpd` and `toJSON` write them (`lc`, `type`, `id`, `kwargs`), as stores keep them
 * (`type`, `data`), and plain (`type` or `role` beside `content`), in a bare list or in `messages`.
 *
 * Calls are those of `tool_calls`; blocks and members that repeat them in a provider's words leave with them. What a
 * provider's own blocks say is read as in its format.
 */
export const langchainFormat: WindowFormat = providerFormat({
  name: 'langchain',
  joinsTurns: false,
  listKeys: ['messages'],
  draft: draftLangChain,
  fixedTexts: (source) => fixedSourceTexts(source, ['system', 'tools']),
  mend: (part) => (part.kind === 'text' && part.text === '' ? { kind: 'drop' } : undefined),
  edits: langChainMessageEdits,
  settle: (list, source) => settlePairs(list, langChainPairs(source.text, source.list.items[0])),
  serialize: serializeLangChainInsertion,
  validate: validateLangChain,
});

/** Known types, something said or called in every message, results directly behind the calls. */
function validateLangChain(source: WindowSource): WindowProblem[] {
  const pairs = new DirectPairs();
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const message = langChainMessage(node);
    if (node.kind !== 'object') {
      pairs.report('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (message === undefined) {
      pairs.report('ROLE_INVALID', path, 'LangChain has no such message');
    } else if (message.role === 'tool') {
      const id = stringValue(member(message.held, 'tool_call_id')) ?? stringValue(member(message.held, 'name')) ?? '';
      pairs.answer(id, path);
    } else {
      const calls = message.role === 'assistant' ? items(member(message.held, 'tool_calls')) : [];
      pairs.begin(
        calls.map((call, item) => ({
          id: stringValue(member(call, 'id')) ?? '',
          path: `${path}${message.heldPath}/tool_calls/${String(item)}`,
        })),
      );
      if (calls.length === 0 && saysNothing(member(message.held, 'content'))) {
        pairs.report('MESSAGE_EMPTY', path, 'A message says something or calls a tool');
      }
    }
  });
  return pairs.problems;
}

function saysNothing(content: JsonNode | undefined): boolean {
  return content?.kind === 'string' ? content.value === '' : items(content).length === 0;
}
