import { imageTokens, type AttachmentProvider, type ImageDetail } from './image-tokens';

/** A picture, document, recording or other part of a message that is no text to the model. */
export interface Attachment {
  /** `image/png`, `application/pdf`, `audio/wav` ...; when absent it counts as a picture. */
  readonly mediaType?: string | undefined;
  /** Length of its base64 text, when it is inline. */
  readonly base64Length?: number | undefined;
  /** Pixels; see `imageSizeOfBase64`. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Pages of a document, when known. */
  readonly pages?: number | undefined;
  /** Where it lies when it is not inline; never fetched. */
  readonly url?: string | undefined;
  readonly detail?: ImageDetail | undefined;
}

/** Dearest page by provider: its text at the upper end of the documented range, and its picture where one is sent. */
const PAGE_TOKENS: Readonly<Record<AttachmentProvider, number>> = {
  openai: 3000,
  anthropic: 4600,
  gemini: 560,
  unknown: 4600,
};
/** A page of text takes 10 kB or more in most PDF files; 100 pages is the usual limit of one request. */
const BYTES_PER_PAGE = 10_000;
const MAX_PAGES = 100;
/** For a document of which nothing is known but its address. */
const ASSUMED_PAGES = 10;

/** Tokens a second and the least bytes a second of usual encodings (32 and 128 kbit/s). */
const AUDIO = { tokensPerSecond: 32, bytesPerSecond: 4000 };
const VIDEO = { tokensPerSecond: 300, bytesPerSecond: 16_000 };
/** For a recording of which nothing is known but its address. */
const ASSUMED_SECONDS = 60;

/** Text in a file: fewer bytes a token than almost any text has. */
const BYTES_PER_TEXT_TOKEN = 2;

/**
 * Tokens that an attachment costs, by the provider's documented formula where there is one. Never the length of its
 * base64 text.
 *
 * Pictures: OpenAI 85 and 170 a 512-px tile (85 at low detail; other models of theirs by their own tables), Anthropic
 * width * height / 750 up to 1,600 (4,784 since Claude 4.7), Gemini 258 a 768-px tile; without a size the most that a
 * picture can cost. Documents and recordings: by pages or seconds, guessed from the size in bytes when not given; of
 * those only the picture formulas are bounds.
 */
export function attachmentTokens(attachment: Attachment, provider: AttachmentProvider, model?: string): number {
  const { mediaType = 'image/*', width, height, detail } = attachment;
  const type = mediaType.toLowerCase();
  if (type.startsWith('image')) {
    const size = width !== undefined && height !== undefined && width > 0 && height > 0 ? { width, height } : undefined;
    return imageTokens(size, detail, provider, model);
  }
  const bytes = attachment.base64Length === undefined ? undefined : Math.ceil((attachment.base64Length * 3) / 4);
  if (type.startsWith('audio')) return recordingTokens(bytes, AUDIO);
  if (type.startsWith('video')) return recordingTokens(bytes, VIDEO);
  if (isText(type) && bytes !== undefined) return Math.ceil(bytes / BYTES_PER_TEXT_TOKEN);
  return PAGE_TOKENS[provider] * pagesOf(attachment.pages, bytes);
}

function pagesOf(pages: number | undefined, bytes: number | undefined): number {
  if (pages !== undefined && pages > 0) return Math.ceil(pages);
  if (bytes === undefined) return ASSUMED_PAGES;
  return Math.min(MAX_PAGES, Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE)));
}

function recordingTokens(bytes: number | undefined, rate: typeof AUDIO): number {
  const seconds = bytes === undefined ? ASSUMED_SECONDS : Math.max(1, Math.ceil(bytes / rate.bytesPerSecond));
  return seconds * rate.tokensPerSecond;
}

function isText(type: string): boolean {
  return type.startsWith('text') || /(json|xml|yaml|csv|javascript)$/.test(type);
}
