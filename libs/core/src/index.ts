export const CORE_VERSION = '0.1.0';
export { HoldfastError, isHoldfastError } from './errors';
export type { TokenCounter } from './ports';
export { attachmentTokens, type Attachment } from './tokens/attachment-tokens';
export { isClaudeBefore47 } from './tokens/claude-generation';
export { imageSize, imageSizeOfBase64, type ImageSize } from './tokens/image-size';
export { imageTokens, type AttachmentProvider, type ImageDetail } from './tokens/image-tokens';
