import type { HandleDraft } from '@holdfast/core';
import { inBatches } from '../batches';
import type { TenantTransaction } from '../database';
import { bytesToHex, hexToBytes } from '../digest-bytes';
import { findOriginals } from '../originals';
import type { Fence } from '../passes/fence';
import { PersistenceError } from '../persistence-error';
import { storedText } from '../text';

const BATCH_ROWS = 2_000;

/** Digests behind handles; a handle that the session does not have is left out. */
export async function readHandles(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  handles: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const batch of inBatches(handles, BATCH_ROWS)) {
    const rows = await tx.$queryRaw<{ handle: string; sha256: Uint8Array }[]>`
      select handle, sha256 from handles
      where tenant_id = ${tenantId}::uuid and session_id = ${sessionId}::uuid and handle = any(${batch}::text[])`;
    for (const { handle, sha256 } of rows) found.set(handle, sha256);
  }
  return found;
}

/** sha256 of each handle's original, recomputed over its bytes; what does not resolve is left out. */
export async function resolveHandles(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  handles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const digests = await readHandles(tx, tenantId, sessionId, handles);
  const archived = new Set<string>();
  const wanted = [...new Map([...digests.values()].map((digest) => [bytesToHex(digest), digest])).values()];
  for (const batch of inBatches(wanted, BATCH_ROWS)) {
    for (const digest of (await findOriginals(tx, tenantId, batch)).keys()) archived.add(digest);
  }
  const resolved = new Map<string, string>();
  for (const handle of handles) {
    const digest = digests.get(handle);
    if (digest !== undefined && archived.has(bytesToHex(digest))) resolved.set(handle, bytesToHex(digest));
  }
  return resolved;
}

/** Throws STORE_CONFLICT when a handle stands for another original already. */
export async function writeHandles(tx: TenantTransaction, fence: Fence, drafts: readonly HandleDraft[]): Promise<void> {
  const { tenantId, sessionId, compactionId } = fence;
  for (const batch of inBatches(drafts, BATCH_ROWS)) {
    await tx.$executeRaw`
      insert into handles (tenant_id, session_id, handle, sha256, element_id, label, tokens, created_by)
      select ${tenantId}::uuid, ${sessionId}::uuid, h.handle, h.sha256, h.element_id, h.label, h.tokens,
        ${compactionId}::uuid
      from unnest(
        ${batch.map((draft) => draft.handle)}::text[],
        ${batch.map((draft) => hexToBytes(draft.sha256))}::bytea[],
        ${batch.map((draft) => storedText(draft.elementId))}::text[],
        ${batch.map((draft) => storedText(draft.label))}::text[],
        ${batch.map((draft) => draft.tokens)}::bigint[]
      ) as h (handle, sha256, element_id, label, tokens)
      on conflict do nothing`;
  }
  const stored = await readHandles(
    tx,
    tenantId,
    sessionId,
    drafts.map((draft) => draft.handle),
  );
  for (const { handle, sha256 } of drafts) {
    const found = stored.get(handle);
    if (found === undefined || bytesToHex(found) !== sha256) {
      throw new PersistenceError('STORE_CONFLICT', `Handle ${handle} stands for another original`);
    }
  }
}
