import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import { eitherMember } from './either-member';
import { draftGemini } from './gemini-read';
import { geminiContentEdits, mendGeminiPart, serializeGeminiInsertion } from './gemini-render';
import { validateGemini } from './gemini-validate';
import { GEMINI_PAIRS } from './pair-rules';
import { providerFormat } from './provider-format';
import { settlePairs } from './settle-pairs';
import type { WindowFormat } from './window-format';
import type { WindowSource } from './window-source';

/**
 * Gemini's contents: a bare list, or the whole request with `contents` (a list, or a text). Members are read in camel
 * and in snake case.
 *
 * Calls and responses are paired by id, or by name and place where there are no ids. A signature stays with its part:
 * calls are never rewritten, signed text takes no other text, and the calls of one content leave together. Tools that
 * the server runs are calls with their results, too. With any change neighbours of one role become one content, because the API
 * wants user and model in turn and calls not behind the model; but words never join responses, which the model would
 * read on as part of the response.
 */
export const geminiFormat: WindowFormat = providerFormat({
  name: 'gemini',
  joinsTurns: false,
  joined: {
    roles: new Set(['user', 'model']),
    listKey: 'parts',
    standsApart: (part) => eitherMember(part, 'functionResponse') !== undefined,
  },
  listKeys: ['contents'],
  listOfText: (literal) => `[{"role":"user","parts":[{"text":${literal}}]}]`,
  draft: draftGemini,
  fixedTexts,
  mend: mendGeminiPart,
  edits: geminiContentEdits,
  settle: (list) => settlePairs(list, GEMINI_PAIRS),
  serialize: serializeGeminiInsertion,
  validate: validateGemini,
});

/** System instruction and tools, in the request or in the client's `config`. */
function fixedTexts(source: WindowSource): string[] {
  return [source.envelope, member(source.envelope, 'config')].flatMap((holder) => {
    const system = systemText(eitherMember(holder, 'systemInstruction'));
    const tools = member(holder, 'tools');
    const texts = system === '' ? [] : [system];
    if (tools?.kind === 'array' && tools.items.length > 0) texts.push(sourceOf(source.text, tools));
    return texts;
  });
}

function systemText(system: JsonNode | undefined): string {
  const parts = system?.kind === 'object' ? items(member(system, 'parts')) : [];
  return stringValue(system) ?? parts.map((part) => stringValue(member(part, 'text')) ?? '').join('\n');
}
