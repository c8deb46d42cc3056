import { setTimeout as delay } from 'node:timers/promises';
import { type CompactionRepository, type StoredCompaction } from '../ports/repositories';

const FIRST_LOOK_MS = 20;
const SLOWEST_LOOK_MS = 300;
const SLOWING = 1.5;

/**
 * Waits for a compaction to finish, at most `waitMs` and not after `signal`; answers with the last that was seen. It looks
 * into the database, which is the only place that knows, whoever finishes it.
 */
export async function waitForOutcome(
  compactions: Pick<CompactionRepository, 'find'>,
  tenantId: string,
  compaction: StoredCompaction,
  waitMs: number,
  signal: AbortSignal,
): Promise<StoredCompaction> {
  const until = performance.now() + waitMs;
  let seen = compaction;
  let pauseMs = FIRST_LOOK_MS;
  while (seen.status !== 'finished' && !signal.aborted) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) break;
    await delay(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * SLOWING, SLOWEST_LOOK_MS);
    seen = (await compactions.find(tenantId, compaction.id)) ?? seen;
  }
  return seen;
}
