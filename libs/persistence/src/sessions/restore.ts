import type { Database } from '../database';
import { loadOriginal } from '../originals';
import { isUuid } from '../page';
import { type ListedWindow, listedWindow, type StoredSession, storedSession, WITH_SIZE } from './listed-rows';

export type RestoreAnswer =
  | { readonly kind: 'restored'; readonly session: StoredSession; readonly window: ListedWindow }
  | { readonly kind: 'unknown' };

/** Points the session at one of its windows; a pass under way that was made against the version before is superseded. */
export async function restoreWindow(
  database: Database,
  tenantId: string,
  sessionId: string,
  windowId: string,
): Promise<RestoreAnswer> {
  if (!isUuid(sessionId) || !isUuid(windowId)) return { kind: 'unknown' };
  return database.withTenant(tenantId, async (tx) => {
    const row = await tx.window.findFirst({
      where: { tenantId, sessionId, id: windowId },
      omit: { manifest: true },
      include: WITH_SIZE,
    });
    if (row === null) return { kind: 'unknown' };
    // A window whose bytes are gone would be handed out to nobody.
    await loadOriginal(tx, tenantId, row.originalSha256);
    const session = await tx.session.update({
      where: { tenantId_id: { tenantId, id: sessionId } },
      data: { version: { increment: 1 }, handedOutWindowId: windowId },
      omit: { history: true },
    });
    await tx.event.create({
      data: {
        tenantId,
        sessionId,
        type: 'restored',
        detail: { window_id: windowId, version: Number(session.version) },
      },
      select: { id: true },
    });
    return { kind: 'restored', session: storedSession(session), window: listedWindow(row) };
  });
}
