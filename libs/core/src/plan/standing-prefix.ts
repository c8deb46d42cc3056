import { RANK } from './candidate';
import { emptyChoice, type Choice } from './choice';
import type { PlanFacts } from './plan-facts';
import type { PlanStep } from './plan-step';

/** Shares of the window handed out before that may stand as they are, most first. Below half a cache is worth little. */
const SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5] as const;
/**
 * A pass that has to change the front of the window goes this far below the aim, so that the next ones need not. Share
 * of the aim; measured on recorded sessions in ten slices.
 */
const DEEP_SHARE = 0.85;
/** Where the aim is out of reach, what stands is not given up for the last tenth. */
const NEAR_FLOOR = 1.1;

/** Which steps a pass takes first, and how far it goes with them. */
export interface PrefixChoice {
  readonly first: readonly PlanStep[];
  /** Taken only where the budget, or the target, cannot be met otherwise. */
  readonly rest: readonly PlanStep[];
  readonly targetTokens: number;
}

export interface PrefixFacts {
  readonly facts: PlanFacts;
  /** The steps that an aim may take, cheapest loss first. */
  readonly steps: readonly PlanStep[];
  readonly aimTokens: number;
  /** Tokens with all of them taken. */
  readonly floorTokens: number;
  readonly measure: (choice: Choice) => Promise<number>;
}

/**
 * What was handed out stays as it is where the aim can be met behind it, with losses that keep what a result alone says:
 * the provider has it in its prompt cache. Where it cannot, the whole window is weighed anew and goes below the aim, so
 * that it happens rarely.
 */
export async function standingPrefix(prefix: PrefixFacts): Promise<PrefixChoice> {
  const { facts, steps, aimTokens, floorTokens, measure } = prefix;
  const { adoptedPass, continues, elements } = facts.window;
  if (adoptedPass === undefined || continues === undefined) return { first: steps, rest: [], targetTokens: aimTokens };
  const known = new Set(continues.entries.map(({ id }) => id));
  const handedOut = elements.slice(0, elements.findLastIndex(({ id }) => known.has(id)) + 1);
  const enough = floorTokens > aimTokens ? Math.floor(floorTokens * NEAR_FLOOR) : aimTokens;
  for (const message of boundaries(handedOut)) {
    // From `evictRecoverable` on nothing stays of a result but a way back: that is not done to what is new for a cache.
    const isBehind = (step: PlanStep): boolean => step.firstMessage >= message && step.rank < RANK.evictRecoverable;
    const first = steps.filter(isBehind);
    const everything = emptyChoice();
    for (const step of first) step.apply(everything);
    if ((await measure(everything)) > enough) continue;
    return { first, rest: steps.filter((step) => !isBehind(step)), targetTokens: aimTokens };
  }
  return { first: steps, rest: [], targetTokens: Math.floor(aimTokens * DEEP_SHARE) };
}

/** First messages that may change, by the share of what was handed out that stays in front of them. */
function boundaries(handedOut: readonly { readonly tokens: number; readonly message: number }[]): readonly number[] {
  const total = handedOut.reduce((sum, { tokens }) => sum + tokens, 0);
  const last = handedOut[handedOut.length - 1]?.message ?? -1;
  const found = SHARES.map((share) => {
    let sum = 0;
    const crossing = handedOut.find(({ tokens }) => {
      sum += tokens;
      return sum > total * share;
    });
    return crossing?.message ?? last + 1;
  });
  return [...new Set(found)];
}
