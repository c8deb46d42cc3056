import { member, sourceOf, stringValue, type JsonNode } from '../json';
import { attachmentTokens } from '../tokens/attachment-tokens';
import { imageSizeOfBase64 } from '../tokens/image-size';
import type { Attachment } from '../window/element';

/** `data:<media type>;base64,<base64>` */
const DATA_URL = /^data:([^;,]*)[^,]*;base64,/;

interface Place {
  readonly mediaType: string;
  readonly base64: string | undefined;
  readonly url: string | undefined;
}

interface InlineOrAddress {
  readonly mediaType: string;
  readonly base64Length: number | undefined;
  readonly url: string | undefined;
}

/** An image, file or recording of an OpenAI content part; undefined for any other part. */
export function openAiAttachment(text: string, part: JsonNode, model: string | undefined): Attachment | undefined {
  const source = sourceOf(text, part);
  switch (stringValue(member(part, 'type'))) {
    case 'image_url': {
      const image = member(part, 'image_url');
      const url = stringValue(image) ?? stringValue(member(image, 'url')) ?? '';
      return pictureAttachment(url, stringValue(member(image, 'detail')), source, model);
    }
    case 'input_audio':
      return audioAttachment(member(part, 'input_audio'), source, model);
    case 'file':
      return fileAttachment(stringValue(member(member(part, 'file'), 'file_data')) ?? '', source, model);
    default:
      return undefined;
  }
}

/** A picture by its address or data URL, as OpenAI counts it. */
export function pictureAttachment(
  url: string,
  detailName: string | undefined,
  source: string,
  model: string | undefined,
): Attachment {
  const detail = detailName === 'low' ? ('low' as const) : undefined;
  const place = placeOfUrl(url, 'image/*');
  const size = place.base64 === undefined ? undefined : imageSizeOfBase64(place.base64);
  const tokens = attachmentTokens({ ...measured(place), ...size, detail }, 'openai', model);
  return { mediaType: place.mediaType, tokens, source };
}

/** A recording of OpenAI's shape: `data` in base64 and its `format`. */
export function audioAttachment(audio: JsonNode | undefined, source: string, model: string | undefined): Attachment {
  const mediaType = `audio/${stringValue(member(audio, 'format')) ?? 'wav'}`;
  const place = { mediaType, base64: stringValue(member(audio, 'data')), url: undefined };
  return { mediaType, tokens: attachmentTokens(measured(place), 'openai', model), source };
}

/** A file by its address or data URL, as OpenAI counts it. */
export function fileAttachment(url: string, source: string, model: string | undefined): Attachment {
  const place = placeOfUrl(url, 'application/pdf');
  return { mediaType: place.mediaType, tokens: attachmentTokens(measured(place), 'openai', model), source };
}

/**
 * An image or document block of Anthropic's Messages; undefined for any other block. A document that carries its text
 * is counted by that text's length, like a text file.
 */
export function anthropicAttachment(text: string, block: JsonNode, model: string | undefined): Attachment | undefined {
  const type = stringValue(member(block, 'type'));
  if (type !== 'image' && type !== 'document') return undefined;
  const from = member(block, 'source');
  const written = stringValue(member(from, 'type')) === 'content' ? member(from, 'content') : undefined;
  const mediaType =
    written === undefined
      ? (stringValue(member(from, 'media_type')) ?? (type === 'image' ? 'image/*' : 'application/pdf'))
      : 'text/plain';
  const place = {
    mediaType,
    base64: written === undefined ? stringValue(member(from, 'data')) : sourceOf(text, written),
    url: stringValue(member(from, 'url')),
  };
  const size = type === 'image' && place.base64 !== undefined ? imageSizeOfBase64(place.base64) : undefined;
  const tokens = attachmentTokens({ ...measured(place), ...size }, 'anthropic', model);
  return { mediaType, tokens, source: sourceOf(text, block) };
}

/** Several attachments of one part as one: their tokens add up. Undefined for none. */
export function joinAttachments(attachments: readonly Attachment[]): Attachment | undefined {
  const [first, ...more] = attachments;
  if (first === undefined || more.length === 0) return first;
  return {
    mediaType: first.mediaType,
    tokens: attachments.reduce((sum, { tokens }) => sum + tokens, 0),
    source: attachments.map(({ source }) => source ?? '').join('\n'),
  };
}

/** Where a picture or file lies: inline in a data URL, or at an address. */
export function placeOfUrl(url: string, fallbackType: string): Place {
  const match = DATA_URL.exec(url);
  if (match === null) return { mediaType: fallbackType, base64: undefined, url };
  return { mediaType: match[1] || fallbackType, base64: url.slice(match[0].length), url: undefined };
}

function measured({ mediaType, base64, url }: Place): InlineOrAddress {
  return { mediaType, base64Length: base64?.length, url };
}
