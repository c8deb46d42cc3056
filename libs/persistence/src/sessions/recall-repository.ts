import type { Database } from '../database';
import { bytesToHex } from '../digest-bytes';
import { demandKept, loadOriginal } from '../originals';
import { isUuid } from '../page';
import { bytesToText, originalText } from '../text';

export interface RecalledOriginal {
  readonly handle: string;
  readonly sha256: string;
  /** Bytes as archived: UTF-8, three bytes for a lone surrogate. Their sha256 was checked. */
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly label: string;
  readonly elementId: string;
  readonly tokens: number;
}

/** Reads back what left a window. Throws ORIGINAL_CORRUPT when the bytes are not what their digest says, ORIGINAL_ERASED for what was erased. */
export interface RecallRepository {
  findByHandle(tenantId: string, sessionId: string, handle: string): Promise<RecalledOriginal | undefined>;
}

export function createRecallRepository(database: Database): RecallRepository {
  return {
    findByHandle: (tenantId, sessionId, handle) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(sessionId) || handle.includes('\0')) return undefined;
          const where = { tenantId_sessionId_handle: { tenantId, sessionId, handle } };
          const row = await tx.handle.findUnique({ where, include: { session: { select: { erasedAt: true } } } });
          if (row === null) return undefined;
          demandKept(row.session);
          const bytes = await loadOriginal(tx, tenantId, row.sha256);
          return {
            handle,
            sha256: bytesToHex(row.sha256),
            bytes,
            text: bytesToText(bytes),
            label: originalText(row.label),
            elementId: originalText(row.elementId),
            tokens: Number(row.tokens),
          };
        },
        { idempotent: true },
      ),
  };
}
