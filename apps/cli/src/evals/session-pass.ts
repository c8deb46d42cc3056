import {
  compact,
  DEFAULT_POLICY,
  type FormatName,
  type Outcome,
  policyFor,
  type RecallSetting,
  type SessionStore,
  type Summarizer,
  type TokenCounter,
  type ToolContracts,
} from '@holdfast/core';

/** Seals of an evaluation end with it; fixed, so that two runs give the same bytes. */
export const EVALUATION_SEAL_KEY = 'holdfast-evaluation';

/** One pass of an evaluation. */
export interface EvaluatedPass {
  readonly format: FormatName;
  readonly source: string;
  readonly recall: RecallSetting;
  readonly contracts: ToolContracts;
  readonly budgetTokens: number;
  /** Default: the budget itself. */
  readonly aimTokens?: number;
  readonly summarizer?: Summarizer;
}

/** Runs a pass in mode `enforce` through the whole pipeline. Nothing is adopted: that is the caller's step. */
export function runPass(pass: EvaluatedPass, store: SessionStore, counter: TokenCounter): Promise<Outcome> {
  const { format, source, recall, contracts, budgetTokens, aimTokens = budgetTokens, summarizer } = pass;
  return compact(
    {
      format,
      source,
      mode: 'enforce',
      recall,
      contracts,
      policy: { ...policyFor(format, DEFAULT_POLICY), onAmbiguous: 'hold' },
      budgetTokens,
      aimTokens,
      sealKey: EVALUATION_SEAL_KEY,
    },
    summarizer === undefined ? { store, counter } : { store, counter, summarizer },
  );
}

/** A failure in a line: the code of an error of ours, or the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message}`.slice(0, 300);
}
