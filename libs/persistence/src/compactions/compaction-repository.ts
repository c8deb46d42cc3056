import type { Refusal } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { isUuid, numberPosition } from '../page';
import { incidentsOf, type StoredIncident } from '../sessions/incident-repository';
import { unpackReceipt } from '../passes/pass-result';
import { refusalOfRow } from '../refusals/stored-group';
import { type AcceptAnswer, type AcceptInput, acceptWindow } from './accept';
import { type AdoptAnswer, adoptBestProven } from './adopt';
import { findCompaction, type StoredCompaction } from './stored-compaction';

export interface CompactionResult {
  readonly compaction: StoredCompaction;
  /** The receipt as canonical JSON: keys in order, as its hash was taken. */
  readonly receiptJson: string | undefined;
  readonly refusal: Refusal | undefined;
  /** What somebody else had changed in the window that was sent. */
  readonly incidents: readonly StoredIncident[];
}

export interface StoredEvent {
  /** Counts up within a compaction. */
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Compactions as callers see them; workers go through the pass repository. */
export interface CompactionRepository {
  accept(tenantId: string, input: AcceptInput): Promise<AcceptAnswer>;
  find(tenantId: string, id: string): Promise<StoredCompaction | undefined>;
  findResult(tenantId: string, id: string): Promise<CompactionResult | undefined>;
  /** Events behind `afterEventId` in their order; undefined: from the first. */
  listEvents(tenantId: string, id: string, afterEventId: string | undefined): Promise<readonly StoredEvent[]>;
  adopt(tenantId: string, id: string): Promise<AdoptAnswer>;
}

const MAX_EVENTS = 1_000;

export function createCompactionRepository(database: Database): CompactionRepository {
  const reading = { idempotent: true };
  return {
    accept: (tenantId, input) => acceptWindow(database, tenantId, input),

    find: (tenantId, id) => database.withTenant(tenantId, (tx) => findCompaction(tx, tenantId, id), reading),

    findResult: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const compaction = await findCompaction(tx, tenantId, id);
          if (compaction === undefined) return undefined;
          const where = { tenantId_compactionId: { tenantId, compactionId: id } };
          const receipt = await tx.receipt.findUnique({ where, select: { body: true } });
          return {
            compaction,
            receiptJson: receipt === null ? undefined : await unpackReceipt(receipt.body),
            refusal: await findRefusal(tx, tenantId, id),
            incidents: await incidentsOf(tx, tenantId, id),
          };
        },
        reading,
      ),

    listEvents: (tenantId, id, afterEventId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const after = numberPosition(afterEventId);
          if (after === undefined || !isUuid(id)) return [];
          const rows = await tx.event.findMany({
            where: { tenantId, compactionId: id, id: { gt: after } },
            orderBy: { id: 'asc' },
            take: MAX_EVENTS,
            select: { id: true, type: true, at: true, detail: true },
          });
          return rows.map((row) => ({
            id: String(row.id),
            type: row.type,
            at: row.at.toISOString(),
            detail: row.detail as StoredEvent['detail'],
          }));
        },
        reading,
      ),

    adopt: (tenantId, id) => adoptBestProven(database, tenantId, id),
  };
}

async function findRefusal(
  tx: TenantTransaction,
  tenantId: string,
  compactionId: string,
): Promise<Refusal | undefined> {
  const row = await tx.refusal.findFirst({ where: { tenantId, compactionId } });
  if (row === null) return undefined;
  return refusalOfRow(row);
}
