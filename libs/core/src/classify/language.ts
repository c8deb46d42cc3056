/** Common English words: their absence in a longer text means another language. */
const ENGLISH = /\b(?:the|and|is|are|to|of|in|it|for|that|this|you|please|what|can|i|we|my)\b/iu;

/** True for a text with common English words. */
export function statesEnglish(text: string): boolean {
  return ENGLISH.test(text);
}
