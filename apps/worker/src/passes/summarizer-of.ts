import { extractiveSummarizer, type Summarizer, type SummarizerSetting } from '@holdfast/core';
import { createLlmSummarizer, type LlmRequest } from '@holdfast/summarizers';

/** What the operator allows: endpoints, and the keys for them. */
export interface AllowedSummarizers {
  readonly origins: readonly string[];
  readonly keys: Readonly<Record<string, string>>;
}

export type SummarizerChoice =
  | { readonly kind: 'chosen'; readonly summarizer: Summarizer }
  /** The extractive summarizer takes its place. */
  | { readonly kind: 'not_allowed'; readonly reason: string };

/** The summarizer for one pass of an agent; `onRequest` is told of every request that it makes. */
export function summarizerOf(
  setting: SummarizerSetting | undefined,
  allowed: AllowedSummarizers,
  onRequest: (request: LlmRequest, by: Pick<SummarizerSetting, 'provider' | 'model'>) => void,
): SummarizerChoice {
  if (setting === undefined) return { kind: 'chosen', summarizer: extractiveSummarizer };
  const { provider, baseUrl, model, key, timeoutMs, maxRequestCharacters, maxTokensPerPass } = setting;
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
  if (!allowed.origins.includes(origin))
    return { kind: 'not_allowed', reason: 'the origin of the endpoint is not in SUMMARIZER_ORIGINS' };
  const apiKey = key === undefined || !Object.hasOwn(allowed.keys, key) ? undefined : allowed.keys[key];
  if (key !== undefined && apiKey === undefined)
    return { kind: 'not_allowed', reason: 'SUMMARIZER_KEYS has no key of this name' };
  return {
    kind: 'chosen',
    summarizer: createLlmSummarizer({
      ...{ provider, baseUrl, model, apiKey },
      onRequest: (request) => onRequest(request, { provider, model }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxRequestCharacters === undefined ? {} : { maxRequestCharacters }),
      ...(maxTokensPerPass === undefined ? {} : { maxTokensSpent: maxTokensPerPass }),
    }),
  };
}
