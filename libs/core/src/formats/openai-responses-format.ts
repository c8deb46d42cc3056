import { member, stringValue } from '../json';
import { draftOpenAiResponses } from './openai-responses-read';
import { mendResponsesPart, responsesItemEdits, serializeResponsesInsertion } from './openai-responses-render';
import { validateOpenAiResponses } from './openai-responses-validate';
import { providerFormat } from './provider-format';
import { settleResponses } from './settle-responses';
import type { WindowFormat } from './window-format';
import { fixedSourceTexts } from './window-source';

/**
 * OpenAI's Responses: a bare list of items, or the whole request with `input` (a list, or a text).
 *
 * Neighbouring items of one turn of the model (reasoning and what it led to, parallel calls) are one message, so that
 * they leave together or not at all; words that reasoning led to take no other text. Calls that the client runs are
 * paired with their outputs by position; an item of a tool that the server runs is a call and its result. Items that
 * load tools and items that the format does not know (foreign compactions) are `opaque`. Problems: `ROLE_INVALID`,
 * `TOOL_RESULT_ORPHAN`, `WINDOW_WRONG_SHAPE`.
 */
export const openaiResponsesFormat: WindowFormat = providerFormat({
  name: 'openai-responses',
  joinsTurns: false,
  takesResultsApart: true,
  listKeys: ['input'],
  listOfText: (literal) => `[{"role":"user","content":${literal}}]`,
  draft: draftOpenAiResponses,
  fixedTexts: (source) => {
    const instructions = stringValue(member(source.envelope, 'instructions'));
    const tools = fixedSourceTexts(source, ['tools']);
    return instructions === undefined || instructions === '' ? tools : [instructions, ...tools];
  },
  mend: mendResponsesPart,
  edits: responsesItemEdits,
  settle: settleResponses,
  serialize: serializeResponsesInsertion,
  validate: validateOpenAiResponses,
});
