import { type Outcome, type Receipt, refusalUrgency } from '@holdfast/core';
import { writeSignal } from '../alerts/write-signal';
import type { TenantTransaction } from '../transaction';
import type { Fence } from './fence';

/** A pass that infrastructure gave up. */
export async function signalFailure(
  tx: TenantTransaction,
  fence: Fence,
  code: string | null,
  agentId: string,
): Promise<void> {
  const detail = { code, ...placeOf(fence) };
  await writeSignal(tx, fence.tenantId, { type: 'compaction.failed', agentId, subject: fence.compactionId, detail });
}

/**
 * What a pass that went well says of the next ones: how much is held because nobody declared it, and that hardly anything is
 * left above what may never leave. An agent that only observes is not under pressure.
 */
export async function signalPressure(
  tx: TenantTransaction,
  fence: Fence,
  outcome: Outcome,
  receipt: Receipt | undefined,
  agentId: string,
): Promise<void> {
  if (outcome.outcome === 'refused' || receipt === undefined || receipt.mode === 'observe') return;
  const held = outcome.notices.filter(({ code }) => code === 'AMBIGUOUS_HELD').length;
  if (held > 0) {
    const detail = { held, ...placeOf(fence) };
    await writeSignal(tx, fence.tenantId, { type: 'compaction.held', agentId, subject: fence.compactionId, detail });
  }
  const { budget_tokens: budget, tokens } = receipt;
  const headroom = budget - tokens.floor;
  if (!refusalUrgency('BUDGET_UNREACHABLE', headroom, budget).stuck) return;
  const detail = { headroom_tokens: headroom, stuck: false, ...placeOf(fence) };
  await writeSignal(tx, fence.tenantId, { type: 'session.headroom_low', agentId, subject: fence.sessionId, detail });
}

function placeOf({ sessionId, compactionId }: Fence): Readonly<Record<string, string>> {
  return { session_id: sessionId, compaction_id: compactionId };
}
