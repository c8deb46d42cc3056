import { findJson } from '../formats/find-json';
import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { ResponsesItems } from './responses-items';
import { titleOf, type Transcript } from './transcript';

/** Whether the document is the state of a run of OpenAI's agents for JavaScript. */
export function isAgentsRunState(root: JsonNode): boolean {
  return member(root, '$schemaVersion') !== undefined && member(root, 'generatedItems')?.kind === 'array';
}

/** Reads the state of a run: the original input and the items that the run made, as items of the Responses API. */
export function readAgentsRunState(text: string, root: JsonNode): Transcript {
  const list = new ResponsesItems();
  const add = (source: string | undefined): void => {
    const node = source === undefined ? undefined : findJson(source);
    if (source !== undefined && node !== undefined) list.add(source, node);
  };
  const input = member(root, 'originalInput');
  if (input?.kind === 'string') add(`{"role":"user","content":${sourceOf(text, input)}}`);
  for (const item of items(input)) add(itemSource(text, item));
  for (const item of items(member(root, 'generatedItems'))) {
    const raw = member(item, 'rawItem');
    if (raw !== undefined && stringValue(member(item, 'type')) !== 'tool_approval_item') add(itemSource(text, raw));
  }
  const agent = stringValue(member(member(root, 'currentAgent'), 'name'));
  return {
    kind: 'agents-run-state',
    format: 'openai-responses',
    source: `{"input":${list.toItems()}}`,
    model: undefined,
    sessionHint: undefined,
    title: titleOf(stringValue(input) ?? agent ?? 'Agents run'),
    repairs: list.repairs,
  };
}

/** The API's form of an item that the library keeps in camel case. */
function itemSource(text: string, item: JsonNode): string | undefined {
  const type = stringValue(member(item, 'type')) ?? 'message';
  const callId = stringValue(member(item, 'callId'));
  const id = callId === undefined ? '' : `"call_id":${quoteJson(callId)},`;
  if (type === 'function_call') {
    const name = quoteJson(stringValue(member(item, 'name')) ?? '');
    const given = quoteJson(stringValue(member(item, 'arguments')) ?? '{}');
    return `{"type":"function_call",${id}"name":${name},"arguments":${given}}`;
  }
  if (type === 'function_call_result') {
    const output = member(item, 'output');
    const said = stringValue(output) ?? stringValue(member(output, 'text'));
    const words = said ?? (output === undefined ? '' : sourceOf(text, output));
    return `{"type":"function_call_output",${id}"output":${quoteJson(words)}}`;
  }
  const content = member(item, 'content');
  if (type !== 'message' || content === undefined) return type === 'message' ? undefined : sourceOf(text, item);
  return `{"role":${quoteJson(stringValue(member(item, 'role')) ?? 'user')},"content":${sourceOf(text, content)}}`;
}
