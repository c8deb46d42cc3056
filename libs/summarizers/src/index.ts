export { createLlmSummarizer } from './llm-summarizer';
export { DEFAULT_LLM_LIMITS, type LlmSettings } from './llm-settings';
