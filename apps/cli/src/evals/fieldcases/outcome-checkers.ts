import { isDeepStrictEqual } from 'node:util';
import { numberOf, objectOf, textOf } from '../json-values';
import { type Checkers, ofOutput } from './checker';
import type { PlayedCase } from './play-case';

/** Outcome, size, and what the summarizer was asked. */
export const OUTCOME_CHECKERS: Checkers = {
  refused({ outcomes }, expected) {
    const refusal = outcomes.find((outcome) => outcome.outcome === 'refused');
    if (expected === true) return refusal === undefined ? 'it was not refused' : undefined;
    if (refusal?.outcome !== 'refused') return undefined;
    const { code, message, elements } = refusal.refusal;
    return `refused with ${code}: ${message} (${elements[0]?.evidence ?? ''})`;
  },

  max_tokens: ofOutput((_, { outputTokens, budgetTokens }) =>
    outputTokens > budgetTokens ? `${outputTokens} tokens, budget ${budgetTokens}` : undefined,
  ),

  unchanged({ outcomes, output, givenSource }) {
    const outcome = outcomes[outcomes.length - 1];
    if (output === undefined) return 'it was refused';
    return isDeepStrictEqual(JSON.parse(output), JSON.parse(givenSource))
      ? undefined
      : `the window changed (${outcome?.outcome ?? 'no pass'})`;
  },

  never_grows({ outcomes }) {
    const grown = outcomes.find(
      (outcome) => outcome.outcome === 'compacted' && outcome.proven.tokensAfter >= outcome.tokensBefore,
    );
    return grown === undefined ? undefined : 'a pass handed out a larger window than it got';
  },

  second_pass_unchanged: ofOutput(async (output, played) => {
    const before = played.summarizer.requests.length;
    const outcome = await played.again(output);
    if (outcome.outcome !== 'unchanged') return `a second pass was ${outcome.outcome}`;
    return played.summarizer.requests.length === before ? undefined : 'a second pass called the summarizer';
  }),

  async boundary(played) {
    const outcome = await played.again(played.givenSource, played.budgetTokens + 1);
    return outcome.outcome === 'unchanged' ? undefined : `with the budget one higher it was ${outcome.outcome}`;
  },

  max_summarizer_calls({ summarizer }, expected) {
    const calls = summarizer.requests.length;
    return calls <= (numberOf(expected) ?? 0) ? undefined : `the summarizer was called ${calls} times`;
  },

  no_empty_summary_call({ summarizer }) {
    const empty = summarizer.requests.some(({ elements }) => elements.every(({ text }) => text.trim() === ''));
    return empty ? 'the summarizer was asked to shorten nothing' : undefined;
  },

  async summarizer_input_within_limit({ summarizer, fieldCase, counter, scale }) {
    const limit = numberOf(objectOf(fieldCase.given['summarizer'])['context_limit']) ?? Number.POSITIVE_INFINITY;
    for (const request of summarizer.requests) {
      const counts = await counter.count(request.elements.map(({ text }) => text));
      const tokens = counts.reduce((sum, count) => sum + count, 0);
      if (tokens > limit * scale) return `a request of ${tokens} tokens, limit ${Math.round(limit * scale)}`;
    }
    return undefined;
  },

  cause({ outcomes }, expected) {
    const said = JSON.stringify(outcomes.map((outcome) => (outcome.outcome === 'refused' ? outcome.refusal : '')));
    const word = textOf(expected) ?? '';
    const singular = word.replace(/s$/u, '');
    return said.toLowerCase().includes(singular) ? undefined : `the refusal does not name ${word} as the cause`;
  },

  input_tokens({ outcomes }, expected) {
    const { min, max } = objectOf(expected);
    const tokens = outcomes[0]?.tokensBefore ?? 0;
    const inside = tokens >= (numberOf(min) ?? 0) && tokens <= (numberOf(max) ?? Number.POSITIVE_INFINITY);
    return inside ? undefined : `counted ${tokens} tokens`;
  },

  count_at_least_factor({ outcomes, fieldCase }, expected) {
    const tokens = outcomes[0]?.tokensBefore ?? 0;
    const least = fieldCase.approxTokens * (numberOf(expected) ?? 1);
    return tokens >= least ? undefined : `counted ${tokens} tokens, at least ${Math.round(least)} expected`;
  },

  summary_growth_max_factor({ store }, expected) {
    const lengths = store.segmentTexts.map(({ text }) => text.length);
    const [first, last] = [lengths[0], lengths[lengths.length - 1]];
    if (first === undefined || last === undefined) return undefined;
    return last <= first * (numberOf(expected) ?? 1)
      ? undefined
      : `the summary grew from ${first} to ${last} characters`;
  },

  prefix_stable_turns: ofOutput(async (output, played, expected) => {
    const turns = numberOf(expected) ?? 1;
    let source = output;
    for (let turn = 0; turn < turns; turn += 1) {
      const outcome = await played.again(source);
      if (outcome.outcome !== 'unchanged') return `turn ${turn + 1} was ${outcome.outcome}`;
      source = output;
    }
    return undefined;
  }),

  conflict_reported({ outcomes }) {
    const reported = outcomes.some((outcome) => conflictIn(outcome));
    return reported ? undefined : 'no conflict is reported';
  },
};

function conflictIn(outcome: PlayedCase['outcomes'][number]): boolean {
  const receipt = outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
  return (
    outcome.notices.some(({ code }) => code.includes('CONFLICT')) ||
    (outcome.outcome === 'refused' && outcome.refusal.code.includes('CONFLICT')) ||
    receipt?.elements.some(({ conflict }) => conflict !== undefined) === true
  );
}
