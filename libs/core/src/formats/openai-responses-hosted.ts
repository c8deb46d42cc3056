import { applyEdits, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import type { ToolCall } from '../window/element';
import { findJson } from './find-json';
import { removeMembersEdit } from './window-list-render';

/** A call of a tool that OpenAI runs: one item holds the call and, when it has ended, its result. */
export interface HostedCall {
  readonly call: ToolCall;
  /** Undefined while it runs. */
  readonly result: { readonly text: string; readonly isError: boolean | undefined } | undefined;
}

/** Members of an item that say what was asked, and those that say what came of it. */
interface HostedShape {
  readonly tool: string;
  readonly asked: readonly string[];
  readonly answered: readonly string[];
}

const HOSTED: ReadonlyMap<string, HostedShape> = new Map([
  ['web_search_call', { tool: 'web_search', asked: ['action'], answered: ['results'] }],
  ['file_search_call', { tool: 'file_search', asked: ['queries'], answered: ['results'] }],
  ['code_interpreter_call', { tool: 'code_interpreter', asked: ['code', 'container_id'], answered: ['outputs'] }],
  ['mcp_call', { tool: 'mcp', asked: ['arguments'], answered: ['output', 'error'] }],
]);

const RUNNING: ReadonlySet<string> = new Set(['in_progress', 'searching', 'interpreting', 'calling', 'generating']);

/**
 * The call that an item of such a tool holds; undefined for any other item. An MCP call that a person approved is none:
 * without it the approval, which stays, would be an order to call again.
 */
export function hostedCall(text: string, item: JsonNode): HostedCall | undefined {
  const shape = HOSTED.get(stringValue(member(item, 'type')) ?? '');
  if (shape === undefined || stringValue(member(item, 'approval_request_id')) !== undefined) return undefined;
  const asked = shape.asked.flatMap((key) => {
    const value = member(item, key);
    return value === undefined ? [] : [{ key, value }];
  });
  const action = asked.find(({ key }) => key === 'action')?.value;
  const argumentsText =
    action === undefined
      ? (stringValue(member(item, 'arguments')) ??
        `{${asked.map(({ key, value }) => `${quoteJson(key)}:${sourceOf(text, value)}`).join(',')}}`)
      : withoutSources(text, action);
  const status = stringValue(member(item, 'status')) ?? '';
  const found = [member(action, 'sources'), ...shape.answered.map((key) => member(item, key))].filter(
    (value) => value !== undefined && value.kind !== 'null',
  );
  const failed = status === 'failed' || (member(item, 'error')?.kind ?? 'null') !== 'null';
  const words = found.map((value) => (value === undefined ? '' : (stringValue(value) ?? sourceOf(text, value))));
  return {
    call: {
      callId: stringValue(member(item, 'id')) ?? '',
      tool: stringValue(member(item, 'name')) ?? shape.tool,
      argumentsText,
      args: findJson(argumentsText),
      hosted: true,
    },
    result: RUNNING.has(status) ? undefined : { text: words.join('\n'), isError: failed ? true : undefined },
  };
}

/** What a search asked for; the pages that it found stand in the same object. */
function withoutSources(text: string, action: JsonNode): string {
  const source = sourceOf(text, action);
  const object = findJson(source);
  return object?.kind === 'object' ? applyEdits(source, removeMembersEdit(object, new Set(['sources']))) : source;
}
