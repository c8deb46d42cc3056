import type { Database, TenantTransaction } from '../database';
import { isUuid } from '../page';
import { newId } from '../uuid';
import { findCompaction, type StoredCompaction } from './stored-compaction';

export type AdoptAnswer =
  | { readonly kind: 'adopted'; readonly compaction: StoredCompaction }
  /** No best proven window, or not finished yet. */
  | { readonly kind: 'nothing_to_adopt' }
  /** The session's window moved on since this pass. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'unknown' };

/**
 * Hands out the best proven window of a refused pass: a new version, once. Adopting again answers the same. The outcome
 * stays `refused`: that is what the pass came to.
 */
export async function adoptBestProven(database: Database, tenantId: string, id: string): Promise<AdoptAnswer> {
  return database.withTenant(tenantId, (tx) => adoptInTransaction(tx, tenantId, id));
}

/** The same, as a part of a transaction. */
export async function adoptInTransaction(tx: TenantTransaction, tenantId: string, id: string): Promise<AdoptAnswer> {
  if (!isUuid(id)) return { kind: 'unknown' };
  const found = await findCompaction(tx, tenantId, id);
  if (found === undefined) return { kind: 'unknown' };
  await tx.$queryRaw`
    select 1 as locked from sessions
    where tenant_id = ${tenantId}::uuid and id = ${found.sessionId}::uuid for no key update`;
  await tx.$queryRaw`
    select 1 as locked from compactions where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for no key update`;
  const compaction = (await findCompaction(tx, tenantId, id)) ?? found;
  if (compaction.adoptedAt !== undefined) return { kind: 'adopted', compaction };
  if (compaction.status !== 'finished' || compaction.bestProvenWindowId === undefined) {
    return { kind: 'nothing_to_adopt' };
  }
  if (!(await handOut(tx, tenantId, compaction, compaction.bestProvenWindowId))) return { kind: 'superseded' };
  return { kind: 'adopted', compaction: (await findCompaction(tx, tenantId, id)) ?? compaction };
}

/** False when the session has accepted or handed out another window since. */
async function handOut(
  tx: TenantTransaction,
  tenantId: string,
  compaction: StoredCompaction,
  bestProvenId: string,
): Promise<boolean> {
  const where = { tenantId_id: { tenantId, id: compaction.sessionId } };
  const session = await tx.session.findUniqueOrThrow({ where });
  const best = await tx.window.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id: bestProvenId } } });
  if (session.version !== best.version || session.acceptedWindowId !== compaction.inputWindowId) return false;
  const windowId = newId();
  const { sessionId, format, originalSha256, manifest, passNo, tokens, compactionId } = best;
  await tx.window.create({
    data: {
      ...{ tenantId, id: windowId, sessionId, compactionId, format, originalSha256, manifest, passNo, tokens },
      ...{ kind: 'handed_out', version: session.version + 1n },
    },
    select: { id: true },
  });
  await tx.session.update({
    where,
    data: { version: { increment: 1 }, passes: { increment: 1 }, handedOutWindowId: windowId },
    select: { id: true },
  });
  await tx.$executeRaw`
    update compactions set adopted_at = clock_timestamp(), output_window_id = ${windowId}::uuid
    where tenant_id = ${tenantId}::uuid and id = ${compaction.id}::uuid`;
  await tx.event.create({
    data: { tenantId, compactionId: compaction.id, sessionId, type: 'adopted', detail: { window_id: windowId } },
    select: { id: true },
  });
  return true;
}
