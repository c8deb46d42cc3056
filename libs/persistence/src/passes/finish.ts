import type { Outcome } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { hexToBytes } from '../digest-bytes';
import type { Prisma } from '../generated/client';
import { storeOriginals } from '../originals';
import { type Dispatch, writeDispatch } from '../outbox/write-dispatch';
import { type RetryEnd, settleRetry } from '../refusals/settle-retry';
import { newId } from '../uuid';
import { type Fence, type FencedRows, lockFenced } from './fence';
import { signalFailure, signalPressure } from './pass-signals';
import { outcomeColumns, writeIncidents, writeRefusal } from './outcome-rows';
import { type EncodedOutcome, type EncodedWindow, encodeOutcome, type PassEnd } from './pass-result';

/** Longest finishing transaction: one big window and its receipt. */
const FINISH_TIMEOUT_MS = 30_000;

export interface FinishRequest {
  /** Version of the session's window that the pass was made against. */
  readonly version: bigint;
  readonly agentId: string;
  /** Runs inside of the transaction, after its last statement. For tests that end the process there. */
  readonly beforeCommit?: () => void;
}

export interface Finished {
  readonly outcome: Outcome['outcome'] | 'failed' | 'superseded';
  /** The session's next pass, now due; undefined when none is waiting. */
  readonly successor: Dispatch | undefined;
}

/**
 * Ends a pass in one transaction: window, receipt, refusal, session, outcome, events, and the successor's outbox row.
 * A session whose window moved on meanwhile makes it `superseded`. Throws FENCED when another claim took over.
 */
export async function finishPass(
  database: Database,
  fence: Fence,
  end: PassEnd,
  request: FinishRequest,
): Promise<Finished> {
  const startedAt = performance.now();
  const encoded = end.kind === 'outcome' ? await encodeOutcome(end.outcome, end.times) : undefined;
  return database.withTenant(
    fence.tenantId,
    async (tx) => {
      const rows = await lockFenced(tx, fence);
      const movedOn = rows.version !== request.version;
      const stale = encoded?.handedOut !== undefined && movedOn;
      let outcome: Finished['outcome'];
      if (encoded !== undefined && !stale) {
        outcome = encoded.outcome.outcome;
        await writeOutcome(tx, fence, rows, encoded, request.agentId, startedAt);
      } else {
        outcome = end.kind === 'failed' ? 'failed' : 'superseded';
        const reason = end.kind === 'superseded' ? end.reason : stale ? 'session_moved_on' : undefined;
        await closePass(tx, fence, {
          outcome,
          ...(end.kind === 'failed' ? { errorCode: end.errorCode } : {}),
          ...(reason === undefined ? {} : { reason }),
        });
      }
      await closeSession(tx, fence);
      await settleRetry(tx, fence, retryEnd(outcome, end));
      if (outcome === 'failed')
        await signalFailure(tx, fence, end.kind === 'failed' ? end.errorCode : null, request.agentId);
      await writeEvent(tx, fence, outcome, end);
      const successor = await dispatchSuccessor(tx, fence, rows.seq);
      request.beforeCommit?.();
      return { outcome, successor };
    },
    { timeoutMs: FINISH_TIMEOUT_MS },
  );
}

/** What the end of a pass is for a refusal that it retries. */
function retryEnd(outcome: Finished['outcome'], end: PassEnd): RetryEnd {
  const wouldRefuse = end.kind === 'outcome' && end.outcome.outcome === 'unchanged' && end.outcome.reason === 'observe';
  const passed = (outcome === 'compacted' || outcome === 'unchanged') && !wouldRefuse;
  return { passed, outcome, code: end.kind === 'failed' ? end.errorCode : undefined };
}

/** `finished_seq` advances by every outcome: a refusal never blocks the session. */
async function closeSession(tx: TenantTransaction, { tenantId, sessionId }: Fence): Promise<void> {
  await tx.$executeRaw`
    update sessions set finished_seq = finished_seq + 1, lease_owner = null, lease_until = null
    where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid`;
}

async function closePass(
  tx: TenantTransaction,
  { tenantId, compactionId }: Fence,
  columns: Prisma.CompactionUncheckedUpdateInput,
): Promise<void> {
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  await tx.compaction.update({
    where: { tenantId_id: { tenantId, id: compactionId } },
    data: { status: 'finished', phase: 'finished', nextDispatchAt: null, finishedAt: clock?.now ?? null, ...columns },
    select: { id: true },
  });
}

async function writeOutcome(
  tx: TenantTransaction,
  fence: Fence,
  rows: FencedRows,
  encoded: EncodedOutcome,
  agentId: string,
  startedAt: number,
): Promise<void> {
  const { tenantId, sessionId, compactionId } = fence;
  const { outcome, receipt, receiptBody, handedOut, bestProven } = encoded;
  const handedOutId = handedOut === undefined ? undefined : newId();
  const bestProvenId = bestProven === undefined ? undefined : newId();
  if (handedOut !== undefined && handedOutId !== undefined) {
    await writeWindow(tx, fence, handedOutId, 'handed_out', rows.version + 1n, handedOut);
  }
  if (bestProven !== undefined && bestProvenId !== undefined) {
    await writeWindow(tx, fence, bestProvenId, 'best_proven', rows.version, bestProven);
  }
  if (receipt !== undefined && receiptBody !== undefined) {
    const hash = hexToBytes(receipt.hash);
    await tx.receipt.create({
      data: { tenantId, compactionId, sessionId, hash, prevHash: rows.receiptHash as never, body: receiptBody },
      select: { compactionId: true },
    });
    await tx.session.update({
      where: { tenantId_id: { tenantId, id: sessionId } },
      data: { receiptHash: hash },
      select: { id: true },
    });
  }
  if (handedOutId !== undefined) {
    await tx.session.update({
      where: { tenantId_id: { tenantId, id: sessionId } },
      data: { version: { increment: 1 }, passes: { increment: 1 }, handedOutWindowId: handedOutId },
      select: { id: true },
    });
  }
  await writeIncidents(tx, fence, outcome.incidents, agentId);
  await signalPressure(tx, fence, outcome, receipt, agentId);
  if (outcome.outcome === 'refused') await writeRefusal(tx, fence, outcome.refusal, agentId, 'open');
  // For an agent that only observes there is nothing to resolve.
  if (outcome.outcome === 'unchanged' && outcome.wouldRefuse !== undefined) {
    await writeRefusal(tx, fence, outcome.wouldRefuse, agentId, 'dismissed');
  }
  // Counted once: a window that was sent again is another row.
  await tx.window.updateMany({
    where: { tenantId, id: rows.inputWindowId, tokens: null },
    data: { tokens: BigInt(outcome.tokensBefore) },
  });
  await closePass(tx, fence, {
    ...outcomeColumns(encoded),
    commitMs: Math.round(performance.now() - startedAt),
    ...(handedOutId === undefined ? {} : { outputWindowId: handedOutId }),
    ...(bestProvenId === undefined ? {} : { bestProvenWindowId: bestProvenId }),
  });
}

async function writeWindow(
  tx: TenantTransaction,
  { tenantId, sessionId, compactionId }: Fence,
  id: string,
  kind: 'handed_out' | 'best_proven',
  version: bigint,
  { original, manifest, proven }: EncodedWindow,
): Promise<void> {
  await storeOriginals(tx, tenantId, [original]);
  await tx.window.create({
    data: {
      ...{ tenantId, id, sessionId, compactionId, version, kind, format: proven.receipt.format, manifest },
      originalSha256: original.sha256,
      passNo: BigInt(proven.manifest.pass),
      tokens: BigInt(proven.tokensAfter),
    },
    select: { id: true },
  });
}

async function writeEvent(
  tx: TenantTransaction,
  { tenantId, sessionId, compactionId }: Fence,
  outcome: Finished['outcome'],
  end: PassEnd,
): Promise<void> {
  const refusal = end.kind === 'outcome' && end.outcome.outcome === 'refused' ? end.outcome.refusal.code : undefined;
  const code = end.kind === 'failed' ? end.errorCode : refusal;
  await tx.event.create({
    data: {
      ...{ tenantId, compactionId, sessionId, type: 'finished' },
      detail: { outcome, ...(code === undefined ? {} : { code }) },
    },
    select: { id: true },
  });
}

async function dispatchSuccessor(
  tx: TenantTransaction,
  { tenantId, sessionId }: Fence,
  seq: bigint,
): Promise<Dispatch | undefined> {
  const next = await tx.compaction.findUnique({
    where: { tenantId_sessionId_seq: { tenantId, sessionId, seq: seq + 1n } },
    select: { id: true, status: true },
  });
  if (next === null || next.status === 'finished') return undefined;
  return writeDispatch(tx, tenantId, next.id, 'compaction.secure');
}
