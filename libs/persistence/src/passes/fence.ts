import type { TenantTransaction } from '../database';
import { PersistenceError } from '../persistence-error';

/**
 * The right to write for one pass. Every claim of a session raises its epoch; a writer with an older one is told
 * `FENCED`, however alive it believes to be.
 */
export interface Fence {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly compactionId: string;
  readonly epoch: bigint;
}

/** The session and the pass of a fence, locked for the rest of the transaction. */
export interface FencedRows {
  readonly version: bigint;
  readonly passes: bigint;
  readonly finishedSeq: bigint;
  readonly seq: bigint;
  readonly phase: string;
  readonly inputWindowId: string;
  readonly receiptHash: Uint8Array | null;
}

/**
 * Locks the session, then the pass (always in this order), and throws FENCED unless both still belong to the fence.
 * The first statement of every transaction that writes for a pass.
 */
export async function lockFenced(tx: TenantTransaction, fence: Fence): Promise<FencedRows> {
  const [session] = await tx.$queryRaw<Omit<FencedRows, 'seq' | 'phase' | 'inputWindowId'>[]>`
    select version, passes, finished_seq as "finishedSeq", receipt_hash as "receiptHash" from sessions
    where tenant_id = ${fence.tenantId}::uuid and id = ${fence.sessionId}::uuid and lease_epoch = ${fence.epoch}
    for no key update`;
  if (session === undefined) throw fencedOff(fence);
  const [pass] = await tx.$queryRaw<Pick<FencedRows, 'seq' | 'phase' | 'inputWindowId'>[]>`
    select seq, phase, input_window_id::text as "inputWindowId" from compactions
    where tenant_id = ${fence.tenantId}::uuid and id = ${fence.compactionId}::uuid
      and session_id = ${fence.sessionId}::uuid and fence_epoch = ${fence.epoch} and status = 'running'
    for no key update`;
  if (pass === undefined) throw fencedOff(fence);
  return { ...session, ...pass };
}

export function fencedOff(fence: Fence): PersistenceError {
  return new PersistenceError(
    'FENCED',
    `Compaction ${fence.compactionId} is not, or no longer, run under fence ${fence.epoch}`,
  );
}
