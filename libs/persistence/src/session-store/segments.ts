import { encodeText, type SegmentDraft } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { bytesToHex, hexToBytes } from '../digest-bytes';
import { encodeOriginals, findOriginal, storeOriginals } from '../originals';
import { type Fence, lockFenced } from '../passes/fence';
import { PersistenceError } from '../persistence-error';
import { bytesToText, originalText, storedText } from '../text';

/** Digests of what the segments of a session were made of. */
export async function readSegmentInputs(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
): Promise<Set<string>> {
  const rows = await tx.summarySegment.findMany({ where: { tenantId, sessionId }, select: { inputHash: true } });
  return new Set(rows.map((row) => bytesToHex(row.inputHash)));
}

/** The segment that was made of this input. */
export async function findSegment(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  inputDigest: string,
): Promise<SegmentDraft | undefined> {
  const inputHash = hexToBytes(inputDigest);
  const row = await tx.summarySegment.findUnique({
    where: { tenantId_sessionId_inputHash: { tenantId, sessionId, inputHash } },
  });
  if (row === null) return undefined;
  // An erased one is made again.
  const text = await findOriginal(tx, tenantId, row.textSha256);
  if (text === undefined) return undefined;
  return {
    id: row.id,
    elementIds: row.sourceElementIds.map(originalText),
    text: bytesToText(text),
    handle: row.handle,
    summarizer: row.summarizer,
    inputDigest: bytesToHex(row.inputHash),
  };
}

/** Keeps a segment, once. Throws STORE_CONFLICT when its id stands for another text, FENCED when the pass was lost. */
export async function recordSegment(database: Database, fence: Fence, segment: SegmentDraft): Promise<void> {
  const { tenantId, sessionId } = fence;
  const [text] = await encodeOriginals([encodeText(segment.text)]);
  if (text === undefined) return;
  await database.withTenant(
    tenantId,
    async (tx) => {
      await lockFenced(tx, fence);
      const id = segment.id;
      const known = await tx.summarySegment.findUnique({
        where: { tenantId_sessionId_id: { tenantId, sessionId, id } },
        select: { textSha256: true },
      });
      if (known !== null) {
        if (bytesToHex(known.textSha256) === bytesToHex(text.sha256)) return;
        throw new PersistenceError('STORE_CONFLICT', `Segment ${id} exists with another text`);
      }
      await storeOriginals(tx, tenantId, [text]);
      await tx.summarySegment.create({
        data: {
          ...{ tenantId, id, sessionId, handle: segment.handle, summarizer: segment.summarizer },
          sourceElementIds: segment.elementIds.map(storedText),
          textSha256: text.sha256,
          inputHash: hexToBytes(segment.inputDigest),
          createdBy: fence.compactionId,
        },
      });
    },
    { idempotent: true },
  );
}
