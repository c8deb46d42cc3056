import {
  items,
  member,
  quoteJson,
  removeItemsEdit,
  setMemberEdit,
  sourceOf,
  stringValue,
  type JsonNode,
  type JsonObject,
  type TextEdit,
} from '../json';
import type { Attachment } from '../window/element';
import { joinAttachments } from './attachments';
import { replaceLoneSurrogates } from './lone-surrogates';

/** What a tool result says. */
export interface ResultContent {
  /** Its words; blocks are joined by a line break, attachments are not among them. */
  readonly text: string;
  /** False where a block is neither text nor attachment: other text in its place would lose it. */
  readonly editable: boolean;
  readonly attachment: Attachment | undefined;
}

export type AttachmentReader = (block: JsonNode) => Attachment | undefined;

/** How a provider writes a tool result. */
export interface ResultShape {
  /** The member that holds the content. */
  readonly key: string;
  /** The words of a text block; undefined for any other block. */
  textOf(block: JsonNode): string | undefined;
  /** A text block of these words, serialized. */
  textBlock(literal: string): string;
}

/** `content` with blocks of the type `text`: OpenAI's chat and Anthropic. */
export const CONTENT_BLOCKS: ResultShape = {
  key: 'content',
  textOf: (block) => (stringValue(member(block, 'type')) === 'text' ? stringValue(member(block, 'text')) : undefined),
  textBlock: (literal) => `{"type":"text","text":${literal}}`,
};

/** Reads the content of a tool result: a string, null, or blocks. */
export function readResultContent(
  text: string,
  content: JsonNode | undefined,
  attachmentOf: AttachmentReader,
  shape: ResultShape = CONTENT_BLOCKS,
): ResultContent {
  if (content === undefined || content.kind === 'null') return { text: '', editable: true, attachment: undefined };
  if (content.kind === 'string') return { text: content.value, editable: true, attachment: undefined };
  if (content.kind !== 'array') return { text: sourceOf(text, content), editable: true, attachment: undefined };
  const words: string[] = [];
  const attachments: Attachment[] = [];
  let editable = true;
  for (const block of content.items) {
    const attachment = attachmentOf(block);
    const said = shape.textOf(block);
    if (attachment !== undefined) attachments.push(attachment);
    else words.push(said ?? sourceOf(text, block));
    editable &&= attachment !== undefined || said !== undefined;
  }
  return { text: words.join('\n'), editable, attachment: joinAttachments(attachments) };
}

/**
 * The edits that put `replacement` in place of a result's text. A string's literal is replaced. Of blocks, the first
 * text block takes the text, the other text blocks leave, and everything else stays as it is.
 */
export function resultContentEdits(
  holder: JsonObject,
  replacement: string,
  shape: ResultShape = CONTENT_BLOCKS,
): TextEdit[] {
  const content = member(holder, shape.key);
  const literal = quoteJson(replaceLoneSurrogates(replacement));
  if (content?.kind !== 'array') return [setMemberEdit(holder, shape.key, literal)];
  const isText = content.items.map((block) => shape.textOf(block) !== undefined);
  const firstText = isText.indexOf(true);
  const first = items(content)[firstText];
  if (first?.kind !== 'object') {
    const block = shape.textBlock(literal);
    const inserted = content.items.length === 0 ? block : `${block},`;
    return [{ start: content.start + 1, end: content.start + 1, replacement: inserted }];
  }
  const keepFirst = replacement !== '';
  if (!keepFirst && isText.every(Boolean)) return [setMemberEdit(holder, shape.key, '""')];
  const removed = removeItemsEdit(content, (index) => !isText[index] || (keepFirst && index === firstText));
  return keepFirst ? [setMemberEdit(first, 'text', literal), ...removed] : removed;
}
