import { isClaudeBefore47 } from '@holdfast/core';

/** Encodings whose vocabulary is public and shipped. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** How the tokens of a model are counted. */
export interface ModelCounting {
  readonly encoding: Encoding;
  /** 1 when the encoding is the model's own; above 1 for an upper bound. */
  readonly factor: number;
  /** `o200k_base`, `cl100k_base`, or `upper_bound(o200k_base x<factor>)`. */
  readonly name: string;
}

/** Counting of the OpenAI models whose encoding is published (tiktoken's model table), most specific first. */
const PUBLISHED: readonly (readonly [RegExp, Encoding])[] = [
  [/^(chatgpt-4o|gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-oss|codex-mini|computer-use-preview)(?![0-9a-z])/, 'o200k_base'],
  [/^o[134](?![0-9a-z])/, 'o200k_base'],
  [/^(gpt-4|gpt-3\.5|gpt-35|text-embedding)(?![0-9a-z.])/, 'cl100k_base'],
];

/**
 * Factors on the o200k_base count for models whose tokenizer is not public or not shipped. They are bounds, not
 * measurements: each is above the highest ratio found for its family on prose, code and JSON, with room for the rest.
 *
 * Sources. *Measured* on 2.1 million characters of agent transcripts (12 formats) with tokenizers that npm packages
 * ship: the Claude 2 vocabulary at most 1.17, cl100k 1.04, Llama 3 1.04 (German prose 1.19), Mistral's and Llama 2's
 * 32k vocabularies 1.42. *Published*: Claude 3.5 against GPT-4o 1.16 on English, 1.21 on mathematics, 1.30 on Python;
 * Claude 4.5 1.09 and 1.14, Claude 5.5 1.58 and 1.45, Gemini 0.99 and 1.24 on a page of prose and a CSV table; Claude
 * 4.7 against 4.6 at most 1.47.
 *
 * Not bounded: columns of digits for tokenizers that spend a token on each digit (Gemini, Qwen, Mistral: 2.3 measured),
 * Chinese and Korean for Llama 2, and what the provider adds itself (chat template, tool prompt).
 */
const BOUNDED: readonly (readonly [RegExp, number])[] = [
  [/gemini|gemma/, 1.4],
  [/deepseek/, 1.35],
  [/qwen|qwq/, 1.4],
  [/llama-?[34](?![0-9])/, 1.25],
  [/llama|mistral|mixtral|codestral|ministral|magistral|devstral|pixtral|nova/, 1.5],
];

/** Claude until 4.6, and since 4.7 with its finer vocabulary; a name without a version may be either. */
const CLAUDE_BEFORE_4_7_FACTOR = 1.35;
const CLAUDE_FACTOR = 1.8;

/** Nothing is known about the tokenizer: as the widest family. */
const UNKNOWN_FACTOR = 1.5;

/**
 * Finds how to count for a model id. Prefixes of routers, clouds and fine-tunes are ignored (`openai/gpt-4o`,
 * `us.anthropic.claude-...`, `models/gemini-...`, `ft:gpt-4o:...`). Without a model the count is o200k_base as it is.
 *
 * A bound is `ceil(o200k_base tokens * factor + script allowance)`: scripts that o200k_base holds in few tokens and most
 * others do not (Indic, Arabic, Hangul ...) add a fixed amount per character, see `script-allowance.cjs`.
 */
export function countingOfModel(model: string | undefined): ModelCounting {
  if (model === undefined) return exactly('o200k_base');
  const id = model.trim().toLowerCase();
  const own = id
    .slice(id.lastIndexOf('/') + 1)
    .replace(/^ft:/, '')
    .replace(/^(openai|azure)[.:]/, '');
  for (const [pattern, encoding] of PUBLISHED) if (pattern.test(own)) return exactly(encoding);
  if (id.includes('claude')) return atMost(isClaudeBefore47(id) ? CLAUDE_BEFORE_4_7_FACTOR : CLAUDE_FACTOR);
  for (const [pattern, factor] of BOUNDED) if (pattern.test(id)) return atMost(factor);
  return atMost(UNKNOWN_FACTOR);
}

function exactly(encoding: Encoding): ModelCounting {
  return { encoding, factor: 1, name: encoding };
}

function atMost(factor: number): ModelCounting {
  return { encoding: 'o200k_base', factor, name: `upper_bound(o200k_base x${String(factor)})` };
}
