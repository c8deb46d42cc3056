import type { FormatName, StoredEffect, StoredRecord } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { bytesToHex } from '../digest-bytes';
import type { Effect, Prisma, Session } from '../generated/client';
import { readTexts, storedEffect } from '../session-store/read-session';
import { originalText } from '../text';

/** A session; times in ISO 8601 from the database's clock. */
export interface StoredSession {
  readonly id: string;
  readonly agentId: string;
  /** The caller's own id. */
  readonly session: string;
  readonly version: number;
  readonly nextSeq: number;
  readonly finishedSeq: number;
  readonly passes: number;
  readonly acceptedWindowId: string | undefined;
  readonly handedOutWindowId: string | undefined;
  readonly receiptHash: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ListedRecord extends StoredRecord {
  readonly createdAt: string;
}

export interface ListedEffect extends StoredEffect {
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ListedWindow {
  readonly id: string;
  readonly kind: 'accepted' | 'handed_out' | 'best_proven';
  readonly version: number;
  readonly format: FormatName;
  readonly compactionId: string | undefined;
  readonly tokens: number | undefined;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}

export function storedSession(row: Omit<Session, 'history'>): StoredSession {
  return {
    id: row.id,
    agentId: row.agentId,
    session: originalText(row.externalId),
    version: Number(row.version),
    nextSeq: Number(row.nextSeq),
    finishedSeq: Number(row.finishedSeq),
    passes: Number(row.passes),
    acceptedWindowId: row.acceptedWindowId ?? undefined,
    handedOutWindowId: row.handedOutWindowId ?? undefined,
    receiptHash: row.receiptHash === null ? undefined : bytesToHex(row.receiptHash),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type RecordRow = Prisma.RecordGetPayload<{
  include: { successor: { select: { no: true } }; session: { select: { erasedAt: true } } };
}>;

export async function listedRecords(
  tx: TenantTransaction,
  tenantId: string,
  rows: readonly RecordRow[],
): Promise<readonly ListedRecord[]> {
  const contents = await readTexts(
    tx,
    tenantId,
    rows.map((row) => row.contentSha256),
  );
  return rows.map((row) => ({
    ref: `R${row.no}`,
    elementId: originalText(row.elementId),
    kind: row.kind as ListedRecord['kind'],
    digest: bytesToHex(row.digest),
    // What another session archived too is still there, and no longer this one's.
    content: row.session.erasedAt === null ? (contents.get(bytesToHex(row.contentSha256)) ?? '') : '',
    label: originalText(row.label),
    trust: row.trust as ListedRecord['trust'],
    supersededBy: row.successor === null ? undefined : `R${row.successor.no}`,
    createdAt: row.createdAt.toISOString(),
  }));
}

export async function listedEffect(row: Effect): Promise<ListedEffect> {
  return {
    ...(await storedEffect(row)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const WITH_SIZE = { original: { select: { size: true } } } satisfies Prisma.WindowInclude;
type WindowRow = Prisma.WindowGetPayload<{ include: typeof WITH_SIZE; omit: { manifest: true } }>;

export function listedWindow(row: WindowRow): ListedWindow {
  return {
    id: row.id,
    kind: row.kind as ListedWindow['kind'],
    version: Number(row.version),
    format: row.format as FormatName,
    compactionId: row.compactionId ?? undefined,
    tokens: row.tokens === null ? undefined : Number(row.tokens),
    bytes: Number(row.original.size),
    sha256: bytesToHex(row.originalSha256),
    createdAt: row.createdAt.toISOString(),
  };
}
