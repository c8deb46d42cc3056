import { compact, policyFor } from '@holdfast/core';
import { createPassRepository, createPrismaSessionStore, type Database } from '@holdfast/persistence';
import { createTokenCounterPool } from '@holdfast/tokens';

/** Takes an accepted compaction to its outcome, as a worker would and with nothing around it. */
export async function runPass(database: Database, compactionId: string): Promise<string> {
  const passes = createPassRepository(database);
  const claimed = await passes.claim(compactionId, { owner: 'test', leaseMs: 60_000, maxAttempts: 5 });
  if (claimed.kind !== 'claimed') throw new Error(`Expected a claimed pass, got ${claimed.kind}`);
  const { fence, policy } = claimed;
  const { tenantId, sessionId } = fence;
  const counters = createTokenCounterPool({ threads: 1 });
  try {
    const outcome = await compact(
      {
        format: claimed.format,
        source: await passes.loadSource(fence, claimed.inputWindowId),
        mode: claimed.mode,
        recall: claimed.recall,
        contracts: claimed.contracts,
        policy: policyFor(claimed.format, policy),
        budgetTokens: claimed.budgetTokens,
        ...(claimed.aimTokens === undefined ? {} : { aimTokens: claimed.aimTokens }),
        ...(claimed.reclaimTargetTokens === undefined ? {} : { reclaimTargetTokens: claimed.reclaimTargetTokens }),
        marks: claimed.marks,
        sealKey: claimed.sealKey,
      },
      {
        store: createPrismaSessionStore(database, {
          tenantId,
          sessionId,
          pass: { compactionId, fenceEpoch: fence.epoch },
        }),
        counter: counters.counterFor(claimed.model),
      },
    );
    const request = { version: claimed.version, agentId: claimed.agentId };
    return (await passes.finish(fence, { kind: 'outcome', outcome, times: {} }, request)).outcome;
  } finally {
    await counters.close();
  }
}
