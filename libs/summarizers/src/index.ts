export { createLlmSummarizer } from './llm-summarizer';
export { DEFAULT_LLM_LIMITS, type LlmRequest, type LlmSettings } from './llm-settings';
