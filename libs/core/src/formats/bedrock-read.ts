import { items, member, memberEntries, sourceOf, stringValue, type JsonNode } from '../json';
import type { Attachment, Role } from '../window/element';
import { attachmentTokens } from '../tokens/attachment-tokens';
import { imageSizeOfBase64 } from '../tokens/image-size';
import type { ListSlot } from './part-list';
import { readResultContent, type ResultShape } from './result-content';
import { WindowDraft, type PartDraft } from './window-draft';
import type { WindowSource } from './window-source';

export const BEDROCK_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

const ATTACHMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['image', 'image/'],
  ['document', 'application/'],
  ['video', 'video/'],
  ['audio', 'audio/'],
]);

/** `content` of a result: blocks of words, of JSON, or attachments. JSON is no words: a block of words takes its place. */
export const BEDROCK_RESULT: ResultShape = {
  key: 'content',
  textOf: (block) => stringValue(member(block, 'text')),
  textBlock: (literal) => `{"text":${literal}}`,
};

/** The one member that says what a block is, such as `text` or `toolUse`. */
export function blockKind(block: JsonNode): string {
  return memberEntries(block)[0]?.key ?? '';
}

/** Reads the messages of a source; its problems are those that leave the window without a meaning. */
export function draftBedrock(source: WindowSource): WindowDraft<ListSlot> {
  const draft = new WindowDraft<ListSlot>();
  source.list.items.forEach((node, index) => {
    const path = `${source.listPath}/${String(index)}`;
    const role = BEDROCK_ROLES.get(stringValue(member(node, 'role')) ?? '');
    const content = member(node, 'content');
    if (node.kind !== 'object') {
      draft.problem('WINDOW_WRONG_SHAPE', path, 'A message is an object');
    } else if (role === undefined) {
      draft.problem('ROLE_INVALID', `${path}/role`, 'A message has the role user or assistant');
    } else if (content?.kind !== 'array') {
      draft.problem('WINDOW_WRONG_SHAPE', `${path}/content`, 'Content is a list of blocks');
    } else {
      draft.beginMessage(role, path);
      content.items.forEach((block, item) => {
        const part = blockPart(source.text, draft, block, role, `${path}/content/${String(item)}`);
        if (part !== undefined) draft.add(part, { at: 'part', item, node: block });
      });
      if (content.items.length === 0) {
        draft.add({ kind: 'text', role, text: '', path, editable: false }, { at: 'message' });
      }
    }
  });
  return draft;
}

/** Undefined for a result that nothing waits for; the problem is noted. */
function blockPart(
  text: string,
  draft: WindowDraft<ListSlot>,
  block: JsonNode,
  role: Role,
  path: string,
): PartDraft | undefined {
  const said = stringValue(member(block, 'text'));
  if (said !== undefined) return { kind: 'text', role, text: said, path, editable: true };
  const used = member(block, 'toolUse');
  if (used?.kind === 'object') {
    const input = member(used, 'input');
    const argumentsText = input === undefined ? '' : sourceOf(text, input);
    const callId = stringValue(member(used, 'toolUseId')) ?? '';
    const call = { callId, tool: stringValue(member(used, 'name')) ?? '', argumentsText, args: input };
    return { kind: 'call', role: 'assistant', text: argumentsText, path, editable: false, call };
  }
  const result = member(block, 'toolResult');
  if (result?.kind === 'object') return resultPart(text, draft, result, path);
  const reasoning = member(block, 'reasoningContent');
  if (reasoning !== undefined) {
    const thought = stringValue(member(member(reasoning, 'reasoningText'), 'text'));
    const hidden = stringValue(member(reasoning, 'redactedContent')) ?? '';
    return { kind: 'reasoning', role, text: thought ?? hidden, path, editable: false };
  }
  const attachment = bedrockAttachment(text, block);
  if (attachment !== undefined) return { kind: 'attachment', role, text: '', path, editable: false, attachment };
  return { kind: 'opaque', role, text: sourceOf(text, block), path, editable: false };
}

function resultPart(text: string, draft: WindowDraft<ListSlot>, result: JsonNode, path: string): PartDraft | undefined {
  const callId = stringValue(member(result, 'toolUseId')) ?? '';
  const call = draft.takeCall(callId);
  if (call === undefined) {
    draft.problem('TOOL_RESULT_ORPHAN', path, `No call before it waits for the result of "${callId}"`);
    return undefined;
  }
  const content = member(result, 'content');
  const json = onlyJson(content);
  const read = readResultContent(text, content, (block) => bedrockAttachment(text, block), BEDROCK_RESULT);
  const status = stringValue(member(result, 'status'));
  return {
    kind: 'result',
    role: 'tool',
    text: json === undefined ? read.text : sourceOf(text, json),
    path,
    editable: json !== undefined || read.editable,
    result: { callId, call, isError: status === undefined ? undefined : status === 'error' },
    ...(read.attachment === undefined ? {} : { attachment: read.attachment }),
  };
}

/** The structure of a result that is one block of JSON and nothing else. */
export function onlyJson(content: JsonNode | undefined): JsonNode | undefined {
  const blocks = items(content);
  return blocks.length === 1 ? member(blocks[0], 'json') : undefined;
}

function bedrockAttachment(text: string, block: JsonNode): Attachment | undefined {
  const kind = blockKind(block);
  const family = ATTACHMENT_TYPES.get(kind);
  const held = member(block, kind);
  if (family === undefined || held?.kind !== 'object') return undefined;
  const mediaType = `${family}${stringValue(member(held, 'format')) ?? (kind === 'image' ? '*' : 'pdf')}`;
  const from = member(held, 'source');
  const base64 = stringValue(member(from, 'bytes'));
  const url = stringValue(member(member(from, 's3Location'), 'uri'));
  const size = kind === 'image' && base64 !== undefined ? imageSizeOfBase64(base64) : undefined;
  const tokens = attachmentTokens({ mediaType, base64Length: base64?.length, url, ...size }, 'unknown');
  return { mediaType, tokens, source: sourceOf(text, block) };
}
