import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';
import { GEMINI_BEGINNING, MISSING_BEGINNING_TEXT, type Transcript } from './transcript';
import type { JsonLine, JsonLines } from './json-lines';
import { MISSING_RESULT_TEXT } from '../window/missing-result';

/** The window that a lone answer of a model is the end of; undefined for an answer of an unknown kind. */
export function windowOfAnswer(
  text: string,
  response: JsonNode,
): { readonly format: FormatName; readonly source: string } | undefined {
  const beginning = `{"role":"user","content":${quoteJson(MISSING_BEGINNING_TEXT)}}`;
  const output = member(response, 'output');
  if (output?.kind === 'array') {
    const listed = [beginning, ...output.items.map((item) => sourceOf(text, item))];
    return { format: 'openai-responses', source: `{"input":[${listed.join(',')}]}` };
  }
  const content = member(response, 'content');
  if (content?.kind === 'array' && stringValue(member(response, 'role')) === 'assistant') {
    const answer = `{"role":"assistant","content":${sourceOf(text, content)}}`;
    return { format: 'anthropic', source: `{"messages":[${beginning},${answer}]}` };
  }
  const message = member(items(member(response, 'choices'))[0], 'message');
  if (message?.kind === 'object') {
    return { format: 'openai-chat', source: `{"messages":[${beginning},${sourceOf(text, message)}]}` };
  }
  const answered = member(items(member(response, 'candidates'))[0], 'content');
  if (answered?.kind === 'object') {
    return { format: 'gemini', source: `{"contents":[${GEMINI_BEGINNING},${sourceOf(text, answered)}]}` };
  }
  return undefined;
}

/** Whether the lines are answers that Gemini's command line recorded. */
export function isGeminiResponses(lines: readonly JsonLine[]): boolean {
  return lines.some(
    ({ node }) =>
      stringValue(member(node, 'method'))?.startsWith('generateContent') === true &&
      member(node, 'response') !== undefined,
  );
}

/** Reads answers that Gemini's command line recorded without their requests: the model's side of a session. */
export function readGeminiResponses({ lines, unreadable }: JsonLines): Transcript {
  const contents = [GEMINI_BEGINNING];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) contents.push(`{"role":"model","parts":[${open.join(',')}]}`);
    open = [];
  };
  const repairs: Transcript['repairs'][number][] = [{ kind: 'beginning_missing', subject: '' }];
  const answers = lines.map(({ text, node }) => answerParts(text, member(node, 'response')));
  answers.forEach(({ parts, calls }, index) => {
    open.push(...parts);
    if (calls.length === 0) return;
    close();
    if (answers.slice(index + 1).every((later) => later.parts.length === 0)) return;
    const responses = calls.map((call) => {
      repairs.push({ kind: 'result_missing', subject: stringValue(member(call, 'name')) ?? '' });
      const id = stringValue(member(call, 'id'));
      const named = `${id === undefined ? '' : `"id":${quoteJson(id)},`}"name":${quoteJson(stringValue(member(call, 'name')) ?? '')}`;
      return `{"functionResponse":{${named},"response":{"error":${quoteJson(MISSING_RESULT_TEXT)}}}}`;
    });
    contents.push(`{"role":"user","parts":[${responses.join(',')}]}`);
  });
  close();
  return {
    kind: 'gemini-responses',
    format: 'gemini',
    source: `{"contents":[${contents.join(',')}]}`,
    model: undefined,
    sessionHint: undefined,
    title: 'Gemini answers',
    repairs: [
      ...repairs,
      ...unreadable.map((number) => ({ kind: 'line_unreadable', subject: String(number) }) as const),
    ],
  };
}

function answerParts(text: string, response: JsonNode | undefined): { parts: string[]; calls: JsonNode[] } {
  const chunks = response?.kind === 'array' ? response.items : response === undefined ? [] : [response];
  const parts = chunks.flatMap((chunk) =>
    items(member(member(items(member(chunk, 'candidates'))[0], 'content'), 'parts')),
  );
  return {
    parts: parts.map((part) => sourceOf(text, part)),
    calls: parts.map((part) => member(part, 'functionCall')).filter((call) => call !== undefined),
  };
}
