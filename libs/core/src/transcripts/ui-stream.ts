import { items, member, quoteJson, sourceOf, stringValue, type JsonNode } from '../json';
import { MISSING_BEGINNING_TEXT, type Transcript } from './transcript';

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
}

interface ToolPart {
  readonly tool: string;
  readonly callId: string;
  input: string;
  output: string | undefined;
  error: string | undefined;
}

/** Whether the document is the list of chunks of one answer that the AI SDK streamed to a user interface. */
export function isUiStream(root: JsonNode): boolean {
  const types = items(root.kind === 'array' ? root : undefined).map((chunk) => stringValue(member(chunk, 'type')));
  return types[0] === 'start' && types.every((type) => type !== undefined);
}

/** Puts the chunks of a streamed answer together as the UIMessage that they make. */
export function readUiStream(text: string, root: JsonNode): Transcript {
  const parts: (OpenPart | ToolPart)[] = [];
  const open = new Map<string, OpenPart>();
  const tools = new Map<string, ToolPart>();
  for (const chunk of items(root)) {
    const type = stringValue(member(chunk, 'type')) ?? '';
    const id = stringValue(member(chunk, 'id')) ?? '';
    if (type === 'text-start' || type === 'reasoning-start') {
      const part: OpenPart = { type: type === 'text-start' ? 'text' : 'reasoning', text: '' };
      open.set(`${part.type} ${id}`, part);
      parts.push(part);
    } else if (type === 'text-delta' || type === 'reasoning-delta') {
      const part = open.get(`${type === 'text-delta' ? 'text' : 'reasoning'} ${id}`);
      if (part !== undefined) part.text += stringValue(member(chunk, 'delta')) ?? '';
    } else if (type.startsWith('tool-')) {
      readTool(text, chunk, type, tools, parts);
    }
  }
  const beginning = `{"id":"beginning","role":"user","parts":[{"type":"text","text":${quoteJson(MISSING_BEGINNING_TEXT)}}]}`;
  const answer = `{"id":"answer","role":"assistant","parts":[${parts.map(partSource).join(',')}]}`;
  return {
    kind: 'ui-stream',
    format: 'ai-sdk',
    source: `{"messages":[${beginning},${answer}]}`,
    model: undefined,
    sessionHint: undefined,
    title: 'Streamed answer',
    repairs: [{ kind: 'beginning_missing', subject: '' }],
  };
}

function readTool(
  text: string,
  chunk: JsonNode,
  type: string,
  tools: Map<string, ToolPart>,
  parts: (OpenPart | ToolPart)[],
): void {
  const callId = stringValue(member(chunk, 'toolCallId'));
  if (callId === undefined) return;
  const name = stringValue(member(chunk, 'toolName'));
  let part = tools.get(callId);
  if (part === undefined && name !== undefined) {
    part = { tool: name, callId, input: '{}', output: undefined, error: undefined };
    tools.set(callId, part);
    parts.push(part);
  }
  if (part === undefined) return;
  const input = member(chunk, 'input');
  const output = member(chunk, 'output');
  const error = member(chunk, 'errorText');
  if (type === 'tool-input-available' && input !== undefined) part.input = sourceOf(text, input);
  if (type === 'tool-output-available' && output !== undefined) part.output = sourceOf(text, output);
  if (type === 'tool-output-error' && error !== undefined) part.error = sourceOf(text, error);
}

function partSource(part: OpenPart | ToolPart): string {
  if ('type' in part) return `{"type":"${part.type}","text":${quoteJson(part.text)}}`;
  const head = `"type":"dynamic-tool","toolName":${quoteJson(part.tool)},"toolCallId":${quoteJson(part.callId)},"input":${part.input}`;
  if (part.error !== undefined) return `{${head},"state":"output-error","errorText":${part.error}}`;
  if (part.output !== undefined) return `{${head},"state":"output-available","output":${part.output}}`;
  return `{${head},"state":"input-available"}`;
}
