import type { FormatName } from '../terms';

/** An agent's settings for compaction. Tokens are counted by the pass's counter on what the model reads. */
export interface Policy {
  /** Ambiguous elements: refuse the pass, or hold them verbatim with a notice. */
  readonly onAmbiguous: 'refuse' | 'hold';
  /** Share of the budget that a pass aims at, 0..1; well under the trigger, so that passes are rare. */
  readonly aimShare: number;
  /** A pass that would free less than this share of the window answers `unchanged`: a broken prompt cache costs more. */
  readonly minGainShare: number;
  /** Limit of the pinned block, in tokens; above it the pass gives a notice. */
  readonly pinnedBlockTokens: number;
  /** Newest messages that no operation but `repack` touches. */
  readonly tailMessages: number;
}

/** A language model that shortens an agent's disposable texts; without one the embedded extractive summarizer does. */
export interface SummarizerSetting {
  readonly provider: 'openai-compatible' | 'anthropic';
  readonly baseUrl: string;
  readonly model: string;
  /** Name of the key among those that the operator holds; the key itself is no setting. */
  readonly key?: string;
  readonly timeoutMs?: number;
  readonly maxRequestCharacters?: number;
  readonly maxTokensPerPass?: number;
}

/** A policy as its owner gives it: what an ambiguous element comes to may be left to the format of the window. */
export type AgentPolicy = Omit<Policy, 'onAmbiguous'> &
  Partial<Pick<Policy, 'onAmbiguous'>> & { readonly summarizer?: SummarizerSetting };

export const DEFAULT_POLICY: AgentPolicy = {
  aimShare: 0.6,
  minGainShare: 0.02,
  pinnedBlockTokens: 1_500,
  tailMessages: 2,
};

/** Fills what a policy leaves open: flags are taken at their word, so ambiguity refuses; provider messages are held. */
export function policyFor(format: FormatName, policy: AgentPolicy): Policy {
  const { summarizer: _, ...settings } = policy;
  return { ...settings, onAmbiguous: policy.onAmbiguous ?? (format === 'elements' ? 'refuse' : 'hold') };
}
