import type { EffectStatus } from '../terms';

/** What a claim may be answered. */
export const CLAIM_ANSWERS = ['proceed', 'duplicate', 'in_flight', 'reconcile', 'conflict'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];

/** What is known of the effect that stands for a key. */
export interface KnownEffect {
  readonly status: EffectStatus;
  /** True where the parameters are those of the claim. */
  readonly sameParameters: boolean;
  /** The attempt that was told to proceed last; undefined for an effect that only a window showed. */
  readonly attemptId: string | undefined;
  /** True while that attempt's lease lives, by the clock of the store. */
  readonly leaseLives: boolean;
}

export interface AnsweredClaim {
  readonly answer: ClaimAnswer;
  /** Why, in words of ours. */
  readonly reason: string;
}

/**
 * The answer to a claim. `proceed` is given to one attempt at a time, and again to the same attempt while its lease lives,
 * for a caller that lost the answer; a lease that ran out is never silently free.
 *
 * | the earlier one                          | answer                                  |
 * | ---------------------------------------- | --------------------------------------- |
 * | none, `failed`, `declined`               | `proceed`                               |
 * | other parameters under the same key      | `conflict`                              |
 * | `succeeded`                              | `duplicate`: its result is the answer   |
 * | open, leased by another attempt          | `in_flight`                             |
 * | open, nobody holds it                    | `reconcile`: look at the target first   |
 */
export function answerClaim(attemptId: string, known: KnownEffect | undefined): AnsweredClaim {
  if (known === undefined) return { answer: 'proceed', reason: 'the first claim of this key' };
  const { status } = known;
  if (status === 'failed' || status === 'declined')
    return { answer: 'proceed', reason: `the earlier one ${status}: nothing was applied` };
  if (!known.sameParameters)
    return { answer: 'conflict', reason: 'the same key stands for other parameters; nothing may be fired under it' };
  if (status === 'succeeded') return { answer: 'duplicate', reason: 'it was done before; its result is recorded' };
  if (!known.leaseLives)
    return {
      answer: 'reconcile',
      reason: `it was started and nobody knows how it ended (${status}): look at the target`,
    };
  return known.attemptId === attemptId
    ? { answer: 'proceed', reason: 'the same attempt, whose lease still lives' }
    : { answer: 'in_flight', reason: 'another attempt holds the lease' };
}
