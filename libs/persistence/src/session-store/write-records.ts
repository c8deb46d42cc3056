import type { RecordDraft } from '@holdfast/core';
import { inBatches } from '../batches';
import type { TenantTransaction } from '../database';
import { bytesToHex, hexToBytes } from '../digest-bytes';
import type { Fence } from '../passes/fence';
import { storedText } from '../text';
import { newId } from '../uuid';

const BATCH_ROWS = 2_000;

interface NewRecord extends RecordDraft {
  readonly id: string;
  readonly no: bigint;
}

function identity(elementId: string, kind: string, digest: string): string {
  return JSON.stringify([elementId, kind, digest]);
}

/** Appends the records that the session does not have, and supersedes those that a new one replaces. */
export async function writeRecords(tx: TenantTransaction, fence: Fence, drafts: readonly RecordDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  const { tenantId, sessionId } = fence;
  const rows = await tx.record.findMany({
    where: { tenantId, sessionId },
    select: { id: true, elementId: true, kind: true, digest: true, supersededBy: true },
    orderBy: { no: 'asc' },
  });
  const known = new Set(rows.map((row) => identity(row.elementId, row.kind, bytesToHex(row.digest))));
  const open = new Map<string, string[]>();
  const opened = (kind: string, digest: string, id: string): void => {
    const key = `${kind} ${digest}`;
    open.set(key, [...(open.get(key) ?? []), id]);
  };
  for (const row of rows) if (row.supersededBy === null) opened(row.kind, bytesToHex(row.digest), row.id);

  const session = await tx.session.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: sessionId } },
    select: { nextRecordNo: true },
  });
  let no = session.nextRecordNo;
  const fresh: NewRecord[] = [];
  const superseded: { readonly id: string; readonly by: string }[] = [];
  for (const draft of drafts) {
    const key = identity(storedText(draft.elementId), draft.kind, draft.digest);
    if (known.has(key)) continue;
    known.add(key);
    const record = { ...draft, id: newId(), no };
    no += 1n;
    if (draft.supersedes !== undefined) {
      const replaced = `${draft.kind} ${draft.supersedes}`;
      for (const id of open.get(replaced) ?? []) superseded.push({ id, by: record.id });
      open.delete(replaced);
    }
    opened(draft.kind, draft.digest, record.id);
    fresh.push(record);
  }
  if (fresh.length === 0) return;
  await insertRecords(tx, fence, fresh);
  for (const batch of inBatches(superseded, BATCH_ROWS)) {
    await tx.$executeRaw`
      update records set superseded_by = s.successor
      from unnest(${batch.map(({ id }) => id)}::uuid[], ${batch.map(({ by }) => by)}::uuid[]) as s (id, successor)
      where records.tenant_id = ${tenantId}::uuid and records.id = s.id`;
  }
  await tx.session.update({ where: { tenantId_id: { tenantId, id: sessionId } }, data: { nextRecordNo: no } });
}

async function insertRecords(tx: TenantTransaction, fence: Fence, records: readonly NewRecord[]): Promise<void> {
  for (const batch of inBatches(records, BATCH_ROWS)) {
    const digests = batch.map((record) => hexToBytes(record.digest));
    await tx.$executeRaw`
      insert into records (tenant_id, id, session_id, no, element_id, kind, digest, content_sha256, label, trust, created_by)
      select ${fence.tenantId}::uuid, r.id, ${fence.sessionId}::uuid, r.no, r.element_id, r.kind, r.digest, r.digest,
        r.label, r.trust, ${fence.compactionId}::uuid
      from unnest(
        ${batch.map((record) => record.id)}::uuid[],
        ${batch.map((record) => record.no)}::bigint[],
        ${batch.map((record) => storedText(record.elementId))}::text[],
        ${batch.map((record) => record.kind)}::text[],
        ${digests}::bytea[],
        ${batch.map((record) => storedText(record.label))}::text[],
        ${batch.map((record) => record.trust)}::text[]
      ) as r (id, no, element_id, kind, digest, label, trust)`;
  }
}
