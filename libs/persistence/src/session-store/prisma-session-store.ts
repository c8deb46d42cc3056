import type { SecureBatch, SecureReceipt, SegmentDraft, SessionState, SessionStore } from '@holdfast/core';
import type { Database } from '../database';
import { hexToBytes, bytesToHex } from '../digest-bytes';
import { findOriginal } from '../originals';
import type { Dispatch } from '../outbox/write-dispatch';
import type { Fence } from '../passes/fence';
import { PersistenceError } from '../persistence-error';
import { bytesToText } from '../text';
import { readSessionState } from './read-session';
import { encodeBatch, readBackOriginals, securedReceipt, writeBatch } from './secure-batch';
import { findSegment, readSegmentInputs, recordSegment } from './segments';
import { readHandles, resolveHandles } from './handles';

/** Longest securing transaction: 20,000 elements take some seconds. */
const SECURE_TIMEOUT_MS = 60_000;

export interface SessionStoreOptions {
  readonly tenantId: string;
  readonly sessionId: string;
  /** The pass that writes. Without one the store only reads, and `secure` throws STORE_READ_ONLY. */
  readonly pass?: PassOfStore;
}

export interface PassOfStore {
  readonly compactionId: string;
  /** Epoch of the claim; every write of an older one throws FENCED. */
  readonly fenceEpoch: bigint;
  /** Ends the claim with the commit of `secure`, so that any worker may take the summarize job up. */
  readonly handOver?: boolean;
  /** Told of the summarize job that `secure` made due, after its commit. */
  readonly onDispatch?: (dispatch: Dispatch) => void;
  /** Runs inside of the securing transaction, after its last statement. For tests that end the process there. */
  readonly beforeCommit?: () => void;
}

/**
 * The session store of the core on PostgreSQL, for one session. With a pass, `secure` writes the batch, moves the pass
 * to `secured` and makes its summarize job due in one transaction: nothing is reduced before that commit.
 * Throws FENCED when another claim has taken the session over.
 */
export function createPrismaSessionStore(database: Database, options: SessionStoreOptions): SessionStore {
  const { tenantId, sessionId, pass } = options;
  const reading = { idempotent: true };
  // What segments were made of, as of the last load: only the holder of the lease adds any, so most need no question.
  let segmentInputs: Set<string> | undefined;

  const fenceOf = (): Fence => {
    if (pass === undefined)
      throw new PersistenceError('STORE_READ_ONLY', 'This session store has no pass to write for');
    return { tenantId, sessionId, compactionId: pass.compactionId, epoch: pass.fenceEpoch };
  };

  return {
    async load(): Promise<SessionState> {
      const { state, inputs } = await database.withTenant(
        tenantId,
        async (tx) => ({
          state: await readSessionState(tx, tenantId, sessionId),
          inputs: await readSegmentInputs(tx, tenantId, sessionId),
        }),
        { ...reading, isolation: 'RepeatableRead' },
      );
      segmentInputs = inputs;
      return state;
    },

    async secure(batch: SecureBatch): Promise<SecureReceipt> {
      const fence = fenceOf();
      const encoded = await encodeBatch(batch);
      const { receipt, dispatch } = await database.withTenant(
        tenantId,
        async (tx) => {
          const written = await writeBatch(tx, fence, batch, encoded, pass?.handOver === true);
          const answer = await securedReceipt(tx, tenantId, sessionId, batch, written.stored);
          pass?.beforeCommit?.();
          return { receipt: answer, dispatch: written.dispatch };
        },
        { timeoutMs: SECURE_TIMEOUT_MS, idempotent: true },
      );
      if (dispatch !== undefined) pass?.onDispatch?.(dispatch);
      return receipt;
    },

    findSecured: (batch) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const planDigest = hexToBytes(batch.planDigest);
          const secured = await tx.compaction.findFirst({
            where: { tenantId, sessionId, planDigest, ...(pass === undefined ? {} : { id: pass.compactionId }) },
            select: { id: true },
          });
          if (secured === null) return undefined;
          const stored = await readBackOriginals(tx, tenantId, batch);
          return securedReceipt(tx, tenantId, sessionId, batch, stored);
        },
        reading,
      ),

    findOriginal: (handle) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const sha256 = (await readHandles(tx, tenantId, sessionId, [handle])).get(handle);
          const bytes = sha256 === undefined ? undefined : await findOriginal(tx, tenantId, sha256);
          if (sha256 === undefined || bytes === undefined) return undefined;
          return { sha256: bytesToHex(sha256), text: bytesToText(bytes) };
        },
        reading,
      ),

    resolveHandles: (handles) =>
      database.withTenant(tenantId, (tx) => resolveHandles(tx, tenantId, sessionId, handles), reading),

    async findSegment(inputDigest): Promise<SegmentDraft | undefined> {
      if (segmentInputs !== undefined && !segmentInputs.has(inputDigest)) return undefined;
      return database.withTenant(tenantId, (tx) => findSegment(tx, tenantId, sessionId, inputDigest), reading);
    },

    async recordSegment(segment) {
      await recordSegment(database, fenceOf(), segment);
      segmentInputs?.add(segment.inputDigest);
    },
  };
}
