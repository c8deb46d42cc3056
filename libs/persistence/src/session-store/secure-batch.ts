import { encodeText, type Manifest, type SecureBatch, type SecureReceipt } from '@holdfast/core';
import { inBatches } from '../batches';
import type { TenantTransaction } from '../database';
import { bytesToHex, hexToBytes } from '../digest-bytes';
import { type EncodedOriginal, encodeOriginals, findOriginals, storeOriginals } from '../originals';
import { type Dispatch, writeDispatch } from '../outbox/write-dispatch';
import { packManifest, unpackManifest } from '../packed-manifest';
import { type Fence, lockFenced } from '../passes/fence';
import { PersistenceError } from '../persistence-error';
import { mapInTurns } from '../turns';
import { readHandles, writeHandles } from './handles';
import { readEffects, readRecords } from './read-session';
import { writeEffects } from './write-effects';
import { writeRecords } from './write-records';

const FETCH_ROWS = 2_000;

/** What writing a batch came to. */
export interface WrittenBatch {
  /** Undefined when the pass was secured before and its summarize job is due already. */
  readonly dispatch: Dispatch | undefined;
  /** Originals whose stored bytes were read back and compared by digest. */
  readonly stored: ReadonlySet<string>;
}

/** A batch with its contents ready for the archive; made before the transaction. */
export interface EncodedBatch {
  readonly originals: readonly EncodedOriginal[];
  readonly accepted: Uint8Array<ArrayBuffer>;
  /** When encoding it began, by `performance.now()`. */
  readonly startedAt: number;
}

/** Throws STORE_CONFLICT when a text does not have its digest. */
export async function encodeBatch(batch: SecureBatch): Promise<EncodedBatch> {
  const startedAt = performance.now();
  const texts = [
    ...batch.originals.map(({ sha256, text }) => ({ sha256, text })),
    ...batch.records.map(({ digest, content }) => ({ sha256: digest, text: content })),
  ];
  const originals = await encodeOriginals(await mapInTurns(texts, ({ text }) => encodeText(text)));
  originals.forEach((original, at) => {
    const claimed = texts[at]?.sha256;
    if (claimed !== bytesToHex(original.sha256)) {
      throw new PersistenceError('STORE_CONFLICT', `Original ${claimed ?? ''} does not have that digest`);
    }
  });
  return { originals, accepted: await packManifest(batch.accepted), startedAt };
}

/**
 * Writes a batch for a pass and moves the pass to `secured`; its summarize job becomes due with the same commit.
 * Throws FENCED and STORE_CONFLICT.
 */
export async function writeBatch(
  tx: TenantTransaction,
  fence: Fence,
  batch: SecureBatch,
  encoded: EncodedBatch,
  handOver: boolean,
): Promise<WrittenBatch> {
  const { tenantId, sessionId, compactionId } = fence;
  const { phase, inputWindowId } = await lockFenced(tx, fence);
  // It compares the digest of every stored row, and throws where one is another.
  await storeOriginals(tx, tenantId, encoded.originals);
  const stored = new Set(encoded.originals.map(({ sha256 }) => bytesToHex(sha256)));
  await writeHandles(tx, fence, batch.handles);
  await writeEffects(tx, fence, batch.effects);
  await writeRecords(tx, fence, batch.records);
  await tx.window.updateMany({
    where: { tenantId, id: inputWindowId, manifest: null },
    data: { manifest: encoded.accepted },
  });
  await writeSession(tx, fence, batch, inputWindowId, handOver);
  await tx.compaction.update({
    where: { tenantId_id: { tenantId, id: compactionId } },
    data: { planDigest: hexToBytes(batch.planDigest) },
  });
  if (phase !== 'accepted') return { dispatch: undefined, stored };
  await tx.$executeRaw`
    update compactions set phase = 'secured', secured_at = clock_timestamp(),
      secure_ms = ${Math.round(performance.now() - encoded.startedAt)}::int,
      status = case when ${handOver} then 'dispatched' else status end
    where tenant_id = ${tenantId}::uuid and id = ${compactionId}::uuid`;
  await tx.event.create({
    data: {
      ...{ tenantId, compactionId, sessionId, type: 'secured' },
      detail: {
        records: batch.records.length,
        effects: batch.effects.length,
        originals: batch.originals.length,
        handles: batch.handles.length,
      },
    },
    select: { id: true },
  });
  return { dispatch: await writeDispatch(tx, tenantId, compactionId, 'compaction.summarize'), stored };
}

async function writeSession(
  tx: TenantTransaction,
  { tenantId, sessionId }: Fence,
  batch: SecureBatch,
  acceptedWindowId: string,
  handOver: boolean,
): Promise<void> {
  const where = { tenantId_id: { tenantId, id: sessionId } };
  const session = await tx.session.findUniqueOrThrow({ where, select: { history: true, nextElement: true } });
  const before = await unpackManifest(session.history);
  const history = extended(before, batch.accepted);
  const nextElement = BigInt(batch.nextElement);
  await tx.session.update({
    where,
    data: {
      acceptedWindowId,
      ...(history === before ? {} : { history: await packManifest(history) }),
      ...(nextElement > session.nextElement ? { nextElement } : {}),
      ...(handOver ? { leaseOwner: null, leaseUntil: null } : {}),
    },
    select: { id: true },
  });
}

/** History with what this window shows with its own content for the first time; ids and digests, no more. */
function extended(before: Manifest | undefined, accepted: Manifest): Manifest {
  const entries = before?.entries ?? [];
  const seen = new Set(entries.map(({ id, digest }) => `${id} ${digest}`));
  const added = accepted.entries.filter(
    ({ id, digest, operation, rendered }) =>
      operation === undefined && rendered === undefined && !seen.has(`${id} ${digest}`),
  );
  if (before !== undefined && added.length === 0) return before;
  return { pass: 0, entries: [...entries, ...added.map(({ id, digest }) => ({ id, digest }))] };
}

/** Addresses of originals whose stored bytes have the digest that they should have. */
export async function readBackOriginals(
  tx: TenantTransaction,
  tenantId: string,
  { originals }: SecureBatch,
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const rows of inBatches(originals, FETCH_ROWS)) {
    const digests = rows.map(({ sha256 }) => hexToBytes(sha256));
    for (const digest of (await findOriginals(tx, tenantId, digests)).keys()) stored.add(digest);
  }
  return stored;
}

/** The proof of a batch: digests over what the store gives back (`stored`), never over what was sent. */
export async function securedReceipt(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  batch: SecureBatch,
  stored: ReadonlySet<string>,
): Promise<SecureReceipt> {
  const handles = await readHandles(
    tx,
    tenantId,
    sessionId,
    batch.handles.map(({ handle }) => handle),
  );
  return {
    planDigest: batch.planDigest,
    originals: batch.originals.map(({ sha256 }) => sha256).filter((sha256) => stored.has(sha256)),
    handles: batch.handles.flatMap(({ handle }) => {
      const sha256 = handles.get(handle);
      return sha256 === undefined ? [] : [{ handle, sha256: bytesToHex(sha256) }];
    }),
    records: await readRecords(tx, tenantId, sessionId),
    effects: await readEffects(tx, tenantId, sessionId),
  };
}
