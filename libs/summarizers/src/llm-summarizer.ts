import { setTimeout as pause } from 'node:timers/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Summarizer, SummaryAnswer, SummaryRequest } from '@holdfast/core';
import { APICallError, generateText, type LanguageModel } from 'ai';
import { boundedFetch } from './bounded-fetch';
import { DEFAULT_LLM_LIMITS, type LlmRequest, type LlmSettings } from './llm-settings';
import { splitText } from './split-text';
import { summaryPrompt } from './summary-prompt';

/** Room for an answer that runs a little over, so that only a real cut counts as one. */
const OUTPUT_SLACK = 2;
const OUTPUT_SLACK_TOKENS = 200;
/** A busy endpoint is asked this often, while the time lasts. */
const MOST_TRIES = 3;
const CHARACTERS_PER_TOKEN = 4;

/**
 * A summarizer that asks a language model. It is made for one pass: when the endpoint fails in a way that asking again
 * does not mend, or the pass has spent its tokens, every later request is rejected at once and the pass goes on without.
 *
 * It never throws for what an endpoint does. Whether an answer's words are right is for the core to check, which seals
 * critical fields before a text comes here.
 */
export function createLlmSummarizer(settings: LlmSettings): Summarizer {
  const asking = new Asking(settings);
  return {
    name: `llm/${settings.model}`,
    deterministic: false,
    summarize: (request) => asking.summarize(request),
  };
}

class Asking {
  private readonly model: LanguageModel;
  private readonly timeoutMs: number;
  private readonly maxRequestCharacters: number;
  private readonly maxTokensSpent: number;
  private readonly onRequest: (request: LlmRequest) => void;
  private tokensSpent = 0;
  private givenUp: string | undefined;

  constructor(settings: LlmSettings) {
    this.model = languageModel(settings);
    this.timeoutMs = settings.timeoutMs ?? DEFAULT_LLM_LIMITS.timeoutMs;
    this.maxRequestCharacters = settings.maxRequestCharacters ?? DEFAULT_LLM_LIMITS.maxRequestCharacters;
    this.maxTokensSpent = settings.maxTokensSpent ?? DEFAULT_LLM_LIMITS.maxTokensSpent;
    this.onRequest = settings.onRequest ?? ((): void => undefined);
  }

  async summarize(request: SummaryRequest): Promise<SummaryAnswer> {
    const text = request.elements.map((element) => element.text).join('\n');
    const pieces = splitText(text, this.maxRequestCharacters);
    const shortened: string[] = [];
    for (const piece of pieces) {
      const maxTokens = Math.max(1, Math.floor((request.maxTokens * piece.length) / text.length));
      const answer = await this.ask(piece, { ...request, maxTokens });
      if (answer.kind === 'rejected') return answer;
      shortened.push(answer.text.trim());
    }
    return { kind: 'summary', text: shortened.join('\n') };
  }

  private async ask(text: string, request: SummaryRequest): Promise<SummaryAnswer> {
    if (this.givenUp !== undefined) return rejected(this.givenUp);
    const { system, prompt } = summaryPrompt(text, request);
    const expected = Math.ceil((system.length + prompt.length) / CHARACTERS_PER_TOKEN) + request.maxTokens;
    if (this.tokensSpent + expected > this.maxTokensSpent)
      return this.giveUp(`the pass has spent its ${String(this.maxTokensSpent)} tokens`);
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const startedAt = performance.now();
    const maxTokens = request.maxTokens * OUTPUT_SLACK + OUTPUT_SLACK_TOKENS;
    for (let tries = 1; ; tries += 1) {
      const startedAtMs = performance.timeOrigin + performance.now();
      const tell = (outcome: LlmRequest['outcome'], inputTokens?: number, outputTokens?: number): void => {
        const endedAtMs = performance.timeOrigin + performance.now();
        this.onRequest({ startedAtMs, endedAtMs, outcome, maxTokens, inputTokens, outputTokens });
      };
      try {
        const result = await generateText({
          model: this.model,
          system,
          prompt,
          temperature: 0,
          maxOutputTokens: maxTokens,
          maxRetries: 0,
          abortSignal: deadline,
        });
        this.tokensSpent += result.totalUsage.totalTokens ?? expected;
        const answer = judge(result);
        tell(answer.kind, result.totalUsage.inputTokens, result.totalUsage.outputTokens);
        return answer;
      } catch (error) {
        tell('error');
        this.tokensSpent += Math.ceil(prompt.length / CHARACTERS_PER_TOKEN);
        const waitMs = tries < MOST_TRIES ? retryAfterMs(error) : undefined;
        const leftMs = this.timeoutMs - (performance.now() - startedAt);
        if (waitMs === undefined || waitMs >= leftMs) return this.giveUp(reasonOf(error, deadline));
        await pause(waitMs);
      }
    }
  }

  private giveUp(reason: string): SummaryAnswer {
    this.givenUp = reason;
    return rejected(reason);
  }
}

function languageModel({ provider, baseUrl, model, apiKey }: LlmSettings): LanguageModel {
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch: boundedFetch })(model);
  const key = apiKey === undefined ? {} : { apiKey };
  return createOpenAICompatible({ name: 'summarizer', baseURL: baseUrl, ...key, fetch: boundedFetch })(model);
}

function judge({
  text,
  finishReason,
  reasoningText,
  toolCalls,
}: {
  readonly text: string;
  readonly finishReason: string;
  readonly reasoningText: string | undefined;
  readonly toolCalls: readonly unknown[];
}): SummaryAnswer {
  if (toolCalls.length > 0) return rejected('the answer calls a tool');
  if (finishReason === 'length') return rejected('the answer was cut off');
  if (text.trim() === '')
    return rejected(reasoningText === undefined ? 'the answer is empty' : 'the answer is reasoning only');
  if (finishReason !== 'stop') return rejected(`the answer ended with ${finishReason}`);
  return { kind: 'summary', text };
}

/** How long a busy endpoint asks to be left alone; undefined where asking again is of no use. */
function retryAfterMs(error: unknown): number | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  if (error.statusCode !== 429 && error.statusCode !== 503) return undefined;
  const seconds = Number(error.responseHeaders?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Names what failed without quoting the endpoint: its texts may repeat the request, or the key. */
function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'the endpoint did not answer in time';
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode !== 200)
    return `the endpoint answered with status ${String(error.statusCode)}`;
  const name = error instanceof Error ? error.name : 'an error';
  return `the endpoint's answer could not be used (${name})`;
}

function rejected(reason: string): SummaryAnswer {
  return { kind: 'rejected', reason };
}
