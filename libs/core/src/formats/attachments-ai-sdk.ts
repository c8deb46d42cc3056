import { member, sourceOf, stringValue, type JsonNode } from '../json';
import { attachmentTokens } from '../tokens/attachment-tokens';
import { imageSizeOfBase64 } from '../tokens/image-size';
import type { Attachment } from '../window/element';
import { placeOfUrl } from './attachments';

const TYPES: ReadonlySet<string> = new Set([
  'image',
  'file',
  'media',
  'image-data',
  'image-url',
  'file-data',
  'file-url',
  'reasoning-file',
]);

/** An image or file of the AI SDK, by bytes, data URL or address; undefined for any other part. */
export function aiSdkAttachment(text: string, part: JsonNode): Attachment | undefined {
  const type = stringValue(member(part, 'type')) ?? '';
  if (!TYPES.has(type)) return undefined;
  const fallback = type.startsWith('image') ? 'image/*' : 'application/pdf';
  const given = stringValue(member(part, 'mediaType')) ?? stringValue(member(part, 'mimeType'));
  const held = stringValue(member(part, type === 'image' ? 'image' : 'data')) ?? stringValue(member(part, 'url')) ?? '';
  const isAddress = /^[a-z]+:/.test(held);
  const place = isAddress ? placeOfUrl(held, fallback) : { mediaType: fallback, base64: held, url: undefined };
  const mediaType = given ?? place.mediaType;
  const size =
    place.base64 !== undefined && mediaType.startsWith('image') ? imageSizeOfBase64(place.base64) : undefined;
  const measured = { mediaType, base64Length: place.base64?.length, url: place.url, ...size };
  return { mediaType, tokens: attachmentTokens(measured, 'unknown'), source: sourceOf(text, part) };
}
