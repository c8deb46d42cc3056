import { member, sourceOf, stringValue, type JsonNode } from '../json';
import { attachmentTokens } from '../tokens/attachment-tokens';
import { imageSizeOfBase64 } from '../tokens/image-size';
import type { Attachment } from '../window/element';
import { eitherMember } from './either-member';

/** Inline bytes or a file of Gemini's; undefined for any other part. */
export function geminiAttachment(text: string, part: JsonNode, model: string | undefined): Attachment | undefined {
  const inline = eitherMember(part, 'inlineData');
  const file = eitherMember(part, 'fileData');
  const held = inline ?? file;
  if (held?.kind !== 'object') return undefined;
  const mediaType = stringValue(eitherMember(held, 'mimeType')) ?? 'image/*';
  const base64 = stringValue(member(inline, 'data'));
  const size = base64 !== undefined && mediaType.startsWith('image/') ? imageSizeOfBase64(base64) : undefined;
  const url = stringValue(eitherMember(file, 'fileUri'));
  const tokens = attachmentTokens({ mediaType, base64Length: base64?.length, url, ...size }, 'gemini', model);
  return { mediaType, tokens, source: sourceOf(text, part) };
}
