import type { Refusal, WindowIncident } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { hexToBytes } from '../digest-bytes';
import { recordIncidents } from '../drift/record-incidents';
import type { Prisma } from '../generated/client';
import { packJson } from '../packed-json';
import { countRefusal } from '../refusals/count-refusal';
import { storedText } from '../text';
import { newId } from '../uuid';
import type { Fence } from './fence';
import type { EncodedOutcome } from './pass-result';

/**
 * A refusal of the pass, counted into its group; `dismissed`, in no group, where an agent only observes, so that there
 * is nothing to resolve.
 */
export async function writeRefusal(
  tx: TenantTransaction,
  fence: Fence,
  refusal: Refusal,
  agentId: string,
  status: 'open' | 'dismissed',
): Promise<void> {
  const { tenantId, sessionId, compactionId } = fence;
  const id = newId();
  const tokens = (count: number | undefined): bigint | null => (count === undefined ? null : BigInt(Math.round(count)));
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  const groupId = status === 'open' ? await countedIn(tx, fence, refusal, id, agentId) : null;
  await tx.refusal.create({
    data: {
      ...{ groupId, status, resolvedAt: status === 'dismissed' ? (clock?.now ?? null) : null },
      ...{ tenantId, id, compactionId, sessionId, agentId, code: refusal.code },
      elementIds: refusal.elements.map((element) => storedText(element.element_id)),
      evidence: await packJson({ message: refusal.message, elements: refusal.elements }),
      repairs: await packJson(refusal.repairs),
      floorTokens: tokens(refusal.floor_tokens),
      shortfallTokens: tokens(refusal.shortfall_tokens),
      headroomTokens: tokens(refusal.headroom_tokens),
    },
    select: { id: true },
  });
}

async function countedIn(
  tx: TenantTransaction,
  fence: Fence,
  refusal: Refusal,
  refusalId: string,
  agentId: string,
): Promise<string> {
  const { budgetTokens } = await tx.compaction.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: fence.tenantId, id: fence.compactionId } },
    select: { budgetTokens: true },
  });
  return countRefusal(tx, fence, { refusal, refusalId, agentId, budgetTokens: Number(budgetTokens) });
}

/** What was found different from what had been handed out, each with the group that it is worked on in. */
export async function writeIncidents(
  tx: TenantTransaction,
  { tenantId, sessionId, compactionId }: Fence,
  incidents: readonly WindowIncident[],
  agentId: string,
): Promise<void> {
  await recordIncidents(tx, { tenantId, agentId, sessionId, compactionId }, incidents);
}

/** The window that the outcome speaks of: handed out, what `enforce` would hand out, or the best that could be proven. */
export function outcomeColumns({
  outcome,
  receipt,
  times,
  notices,
}: EncodedOutcome): Prisma.CompactionUncheckedUpdateInput {
  const shown =
    outcome.outcome === 'compacted'
      ? outcome.proven
      : outcome.outcome === 'refused'
        ? outcome.bestProven
        : outcome.would;
  const rounded = Object.fromEntries(
    Object.entries(times).map(([name, ms]) => [name, Math.min(Math.round(ms), 2_147_483_647)]),
  );
  return {
    outcome: outcome.outcome,
    tokensBefore: BigInt(outcome.tokensBefore),
    tokensAfter: BigInt(shown?.tokensAfter ?? outcome.tokensBefore),
    tokensPinned: BigInt(shown?.tokensPinned ?? 0),
    ...(shown === undefined
      ? {}
      : {
          targetMet: shown.aimMet,
          replacedCount: shown.replacedPrefix.messages,
          replacedHash: hexToBytes(shown.replacedPrefix.sha256),
        }),
    ...(outcome.outcome === 'unchanged' ? { reason: outcome.reason } : {}),
    ...(notices === undefined ? {} : { notices }),
    ...(receipt === undefined
      ? {}
      : {
          countReclaim: receipt.classes.reclaim,
          countPinEffect: receipt.classes.pin_effect,
          countExternalize: receipt.classes.externalize,
          countAmbiguous: receipt.classes.ambiguous,
        }),
    ...rounded,
  };
}
