import { compact } from '../src/compact';
import { InvalidWindowError } from '../src/errors';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { CharacterCounter, MemorySessionStore } from '../src/testing';
import type { FormatName } from '../src/terms';

/** A pass over a window of a caller that knows nothing, as far down as it goes; a window that cannot be read is an answer. */
export async function compactOf(format: FormatName, source: string): Promise<Outcome | InvalidWindowError> {
  try {
    return await compact(
      {
        format,
        source,
        mode: 'enforce',
        recall: 'tool',
        contracts: {},
        policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
        budgetTokens: 1_000_000,
        aimTokens: 1,
        sealKey: 'secret',
      },
      { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
    );
  } catch (error) {
    if (error instanceof InvalidWindowError) return error;
    throw error;
  }
}
