import {
  countWindow,
  DEFAULT_READ_LIMITS,
  formatOf,
  type FormatName,
  InvalidWindowError,
  type TokenCounter,
  type Transcript,
} from '@holdfast/core';
import { createTokenCounterPool } from '@holdfast/tokens';

/** A budget that leaves the system prompt whole and `share` (0..1) of everything else, in tokens. */
export async function budgetOfShare(
  format: FormatName,
  source: string,
  share: number,
  counter: TokenCounter,
): Promise<number> {
  const answer = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (answer.kind === 'invalid') throw new InvalidWindowError(answer.problems);
  // A window that is partly held by the provider is refused whatever the budget.
  if (answer.kind === 'server_held') return 1;
  const { total, system } = await countWindow(answer.window, counter);
  return Math.max(1, system + Math.ceil((total - system) * share));
}

/** {@link budgetOfShare} of a transcript, counted as its model does. */
export async function budgetOfTranscript(transcript: Transcript, share: number): Promise<number> {
  const pool = createTokenCounterPool({ threads: 1 });
  try {
    return await budgetOfShare(transcript.format, transcript.source, share, pool.counterFor(transcript.model));
  } finally {
    await pool.close();
  }
}
