/** How an agent's texts are shortened by a language model. */
export interface LlmSettings {
  /** `openai-compatible`: `POST {baseUrl}/chat/completions`; `anthropic`: `POST {baseUrl}/messages`. */
  readonly provider: 'openai-compatible' | 'anthropic';
  /** As the provider documents it, with its version segment: `https://llm.example/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** The key itself, resolved by whoever starts the pass; never stored, logged or shown. */
  readonly apiKey: string | undefined;
  /** Longest wait for one answer, retries and their pauses included. Default 30,000. */
  readonly timeoutMs?: number;
  /** Longest text of one request; what is longer is cut into several. Default 60,000. */
  readonly maxRequestCharacters?: number;
  /** Tokens of requests and answers that one pass may spend, as the provider counts them. Default 200,000. */
  readonly maxTokensSpent?: number;
  /** Told of every request that was made, for metrics and traces. */
  readonly onRequest?: (request: LlmRequest) => void;
}

/** One request to a model, and nothing of what it said. */
export interface LlmRequest {
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** `rejected`: the answer is no summary; `error`: there was no answer that could be used. */
  readonly outcome: 'summary' | 'rejected' | 'error';
  readonly maxTokens: number;
  /** As the provider counts them; undefined where it does not say. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export const DEFAULT_LLM_LIMITS = {
  timeoutMs: 30_000,
  maxRequestCharacters: 60_000,
  maxTokensSpent: 200_000,
} as const;
