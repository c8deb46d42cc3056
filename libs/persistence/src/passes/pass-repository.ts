import type { Database } from '../database';
import { loadOriginal } from '../originals';
import { bytesToText } from '../text';
import { type ClaimAnswer, type ClaimRequest, claimPass } from './claim';
import { type Fence, fencedOff, lockFenced } from './fence';
import { type Finished, finishPass, type FinishRequest } from './finish';
import type { PassEnd } from './pass-result';

/** Wait before a pass whose attempt broke off is dispatched again; doubles with every attempt. */
const RETRY_AFTER_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export type FailAnswer =
  /** Counted; the reconciler dispatches it again. */
  { readonly kind: 'retried'; readonly attempt: number } | { readonly kind: 'final'; readonly finished: Finished };

/**
 * Passes in the hands of workers. A pass is claimed, kept by heartbeats, and then finished, failed or released.
 *
 * ```
 * accepted -> dispatched -> running -> finished(outcome)
 *                  ^           |  failed attempt, lease that ran out, release
 *                  +-----------+
 * ```
 */
export interface PassRepository {
  claim(compactionId: string, request: ClaimRequest): Promise<ClaimAnswer>;
  /** Text of the window to compact. Throws a TypeError on bytes that are no text. */
  loadSource(fence: Fence, windowId: string): Promise<string>;
  /** Extends the lease. Throws FENCED when another claim took over. */
  heartbeat(fence: Fence, leaseMs: number): Promise<void>;
  /** Appends an event to the timeline of the pass. Throws FENCED. */
  recordEvent(fence: Fence, type: 'summarized', detail: Readonly<Record<string, number | string>>): Promise<void>;
  /** Ends the pass with an outcome. Throws FENCED. */
  finish(fence: Fence, end: PassEnd, request: FinishRequest): Promise<Finished>;
  /** Counts an attempt that broke off, and ends the pass as `failed` when it was one too many. Throws FENCED. */
  fail(fence: Fence, errorCode: string, request: FinishRequest & { readonly maxAttempts: number }): Promise<FailAnswer>;
  /** Gives the session back at once, the pass to be dispatched again; no attempt is counted. Nothing when fenced off. */
  release(fence: Fence): Promise<void>;
}

export function createPassRepository(database: Database): PassRepository {
  /** Gives the session back and says when the pass is due again. */
  const giveBack = (fence: Fence, attempts: 0 | 1): Promise<number> =>
    database.withTenant(fence.tenantId, async (tx) => {
      await lockFenced(tx, fence);
      const { tenantId, sessionId, compactionId } = fence;
      await tx.$executeRaw`
        update sessions set lease_owner = null, lease_until = null
        where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid`;
      const [row] = await tx.$queryRaw<{ attempt: number }[]>`
        update compactions set status = 'dispatched', attempt = attempt + ${attempts}::int,
          next_dispatch_at = clock_timestamp() + case when ${attempts}::int = 0 then 0 else
            least(${RETRY_AFTER_MS}::float8 * power(2, attempt), ${LONGEST_RETRY_MS}::float8) end * interval '1 ms'
        where tenant_id = ${tenantId}::uuid and id = ${compactionId}::uuid returning attempt`;
      return row?.attempt ?? 0;
    });

  return {
    claim: (compactionId, request) => claimPass(database, compactionId, request),

    loadSource: ({ tenantId }, windowId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const { originalSha256 } = await tx.window.findUniqueOrThrow({
            where: { tenantId_id: { tenantId, id: windowId } },
            select: { originalSha256: true },
          });
          return bytesToText(await loadOriginal(tx, tenantId, originalSha256));
        },
        { idempotent: true },
      ),

    heartbeat: (fence, leaseMs) =>
      database.withTenant(fence.tenantId, async (tx) => {
        const extended = await tx.$executeRaw`
          update sessions set lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
          where tenant_id = ${fence.tenantId}::uuid and id = ${fence.sessionId}::uuid
            and lease_epoch = ${fence.epoch} and lease_owner is not null`;
        if (extended === 0) throw fencedOff(fence);
      }),

    recordEvent: (fence, type, detail) =>
      database.withTenant(fence.tenantId, async (tx) => {
        await lockFenced(tx, fence);
        const { tenantId, sessionId, compactionId } = fence;
        await tx.event.create({
          data: { tenantId, compactionId, sessionId, type, detail: { ...detail } },
          select: { id: true },
        });
      }),

    finish: (fence, end, request) => finishPass(database, fence, end, request),

    async fail(fence, errorCode, { maxAttempts, ...request }) {
      const known = await database.withTenant(fence.tenantId, (tx) =>
        tx.compaction.findUniqueOrThrow({
          where: { tenantId_id: { tenantId: fence.tenantId, id: fence.compactionId } },
          select: { attempt: true },
        }),
      );
      if (known.attempt + 1 >= maxAttempts) {
        return { kind: 'final', finished: await finishPass(database, fence, { kind: 'failed', errorCode }, request) };
      }
      return { kind: 'retried', attempt: await giveBack(fence, 1) };
    },

    async release(fence) {
      await giveBack(fence, 0).catch((error: unknown) => {
        if (!isFenced(error)) throw error;
      });
    },
  };
}

function isFenced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FENCED';
}
