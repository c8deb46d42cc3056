import type { Manifest, SessionState, StoredEffect, StoredRecord } from '@holdfast/core';
import { inBatches } from '../batches';
import type { TenantTransaction } from '../database';
import { bytesToHex } from '../digest-bytes';
import type { Effect } from '../generated/client';
import { findOriginals } from '../originals';
import { unpackJson } from '../packed-json';
import { unpackManifest } from '../packed-manifest';
import { PersistenceError } from '../persistence-error';
import { bytesToText, originalText } from '../text';
import { mapInTurns } from '../turns';

/** Windows that are read besides the last ones. Each of 20,000 elements takes some 10 ms. */
const EARLIER_WINDOWS = 8;
/** Contents fetched by one statement. */
const FETCH_ROWS = 2_000;

/** What a session knows before a pass. Throws STORE_CONFLICT when there is no such session. */
export async function readSessionState(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
): Promise<SessionState> {
  const session = await tx.session.findUnique({
    where: { tenantId_id: { tenantId, id: sessionId } },
    select: {
      ...{ passes: true, nextElement: true, history: true, receiptHash: true },
      ...{ acceptedWindowId: true, handedOutWindowId: true },
      acceptedWindow: { select: { manifest: true } },
      handedOutWindow: { select: { manifest: true } },
    },
  });
  if (session === null) throw new PersistenceError('STORE_CONFLICT', `This tenant has no session ${sessionId}`);
  const segments = await tx.summarySegment.findMany({
    where: { tenantId, sessionId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, sourceElementIds: true },
  });
  return {
    sessionId,
    passes: Number(session.passes),
    nextElement: Number(session.nextElement),
    accepted: await unpackManifest(session.acceptedWindow?.manifest),
    handedOut: await unpackManifest(session.handedOutWindow?.manifest),
    earlier: await readEarlier(tx, tenantId, sessionId, [session.acceptedWindowId, session.handedOutWindowId]),
    history: await unpackManifest(session.history),
    records: await readRecords(tx, tenantId, sessionId),
    effects: await readEffects(tx, tenantId, sessionId),
    segments: segments.map(({ id, sourceElementIds }) => ({ id, elementIds: sourceElementIds.map(originalText) })),
    receiptHead: session.receiptHash === null ? undefined : bytesToHex(session.receiptHash),
  };
}

/** Manifests of the newest windows besides the last ones: a caller may go on from any of them. */
async function readEarlier(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  last: readonly (string | null)[],
): Promise<readonly Manifest[]> {
  const rows = await tx.window.findMany({
    where: {
      ...{ tenantId, sessionId, kind: { in: ['accepted', 'handed_out'] }, manifest: { not: null } },
      id: { notIn: last.filter((id) => id !== null) },
    },
    orderBy: [{ version: 'desc' }, { id: 'desc' }],
    take: EARLIER_WINDOWS,
    select: { manifest: true },
  });
  const manifests: Manifest[] = [];
  for (const row of rows) {
    const manifest = await unpackManifest(row.manifest);
    if (manifest !== undefined) manifests.push(manifest);
  }
  return manifests;
}

/** All records of a session in order of their number; each content is checked against its digest. */
export async function readRecords(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
): Promise<readonly StoredRecord[]> {
  const rows = await tx.record.findMany({ where: { tenantId, sessionId }, orderBy: { no: 'asc' } });
  const contents = await readTexts(
    tx,
    tenantId,
    rows.map((row) => row.contentSha256),
  );
  const refs = new Map(rows.map((row) => [row.id, `R${row.no}`]));
  return rows.flatMap((row) => {
    const content = contents.get(bytesToHex(row.contentSha256));
    // Its original is there as long as the record is, so what is not found was erased: nobody is held to it any more.
    if (content === undefined) return [];
    return {
      elementId: originalText(row.elementId),
      // The column's CHECK and the core's table are the same.
      kind: row.kind as StoredRecord['kind'],
      digest: bytesToHex(row.digest),
      content,
      label: originalText(row.label),
      trust: row.trust as StoredRecord['trust'],
      ref: `R${row.no}`,
      supersededBy: row.supersededBy === null ? undefined : refs.get(row.supersededBy),
      ...(row.releasedAt === null ? {} : { released: true }),
    };
  });
}

/** Archived texts by the hex of their digests, each checked. */
export async function readTexts(
  tx: TenantTransaction,
  tenantId: string,
  digests: readonly Uint8Array[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const wanted = [...new Map(digests.map((digest) => [bytesToHex(digest), digest])).values()];
  for (const batch of inBatches(wanted, FETCH_ROWS)) {
    for (const [digest, bytes] of await findOriginals(tx, tenantId, batch)) texts.set(digest, bytesToText(bytes));
  }
  return texts;
}

/** All effects of a session in order of their number. */
export async function readEffects(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
): Promise<readonly StoredEffect[]> {
  const rows = await tx.effect.findMany({ where: { tenantId, sessionId }, orderBy: { no: 'asc' } });
  return mapInTurns(rows, storedEffect);
}

export async function storedEffect(row: Effect): Promise<StoredEffect> {
  return {
    occurrence: originalText(row.observedAs ?? row.occurrence),
    ...(row.attemptId === null ? {} : { claim: originalText(row.occurrence) }),
    action: originalText(row.action),
    target: originalText(row.target),
    kind: row.kind as StoredEffect['kind'],
    idempotencyKey: row.idempotencyKey === null ? undefined : originalText(row.idempotencyKey),
    keySource: row.keySource as StoredEffect['keySource'],
    argumentsDigest: bytesToHex(row.argumentsDigest),
    status: row.status as StoredEffect['status'],
    statusRaw: row.statusRaw === null ? undefined : originalText(row.statusRaw),
    // Written by writeEffects and by nobody else.
    evidence: (await unpackJson(row.evidence)) as string,
    kept: (await unpackJson(row.keptValues)) as readonly string[],
    ref: `E${row.no}`,
  };
}
