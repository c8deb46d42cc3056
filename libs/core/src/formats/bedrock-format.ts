import { items, member, sourceOf, stringValue } from '../json';
import { draftBedrock } from './bedrock-read';
import { bedrockMessageEdits, mendBedrockPart, serializeBedrockInsertion } from './bedrock-render';
import { validateBedrock } from './bedrock-validate';
import { BEDROCK_PAIRS } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import type { WindowFormat } from './window-format';
import type { WindowSource } from './window-source';

/**
 * Bedrock's Converse: a bare list of messages, or the whole request.
 *
 * Every block is a part; `cachePoint`, `guardContent` and blocks that the format does not know are `opaque`. User and
 * assistant speak in turn: with any change, neighbours of one role become one message. A result of one JSON block gives
 * way to a block of words where other text takes its place.
 */
export const bedrockConverseFormat: WindowFormat = providerFormat({
  name: 'bedrock-converse',
  joinsTurns: true,
  joined: { roles: new Set(['user', 'assistant']), listKey: 'content' },
  listKeys: ['messages'],
  draft: draftBedrock,
  fixedTexts,
  mend: mendBedrockPart,
  edits: bedrockMessageEdits,
  settle: (list) => settlePairs(list, BEDROCK_PAIRS),
  serialize: serializeBedrockInsertion,
  validate: validateBedrock,
});

function fixedTexts(source: WindowSource): string[] {
  const system = items(member(source.envelope, 'system'))
    .map((block) => stringValue(member(block, 'text')) ?? '')
    .filter((text) => text !== '');
  const tools = member(member(source.envelope, 'toolConfig'), 'tools');
  return [
    ...(system.length > 0 ? [system.join('\n')] : []),
    ...(tools?.kind === 'array' && tools.items.length > 0 ? [sourceOf(source.text, tools)] : []),
  ];
}
