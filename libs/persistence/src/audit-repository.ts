import type { Database, TenantTransaction } from './database';
import { bytesToHex } from './digest-bytes';
import type { AuditLog, Prisma } from './generated/client';
import { jsonColumn } from './json-column';
import { type Page, pageOf, type PageRequest } from './page';
import { originalText, storedText } from './text';

export interface AuditEntry {
  /** Who did it: the id of a key, `system`. */
  readonly actor: string;
  /** `agent.put`, `key.revoke`. */
  readonly action: string;
  readonly subject: string;
  /** Names, codes and ids; no content. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface StoredAuditEntry extends Required<AuditEntry> {
  readonly id: string;
  readonly at: string;
  /** Undefined for a row from before the chain began. */
  readonly hash: string | undefined;
  readonly prevHash: string | undefined;
}

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  /** At or after. */
  readonly from?: Date | undefined;
  /** Before. */
  readonly to?: Date | undefined;
}

export interface AuditHead {
  readonly id: string;
  readonly hash: string;
}

export interface AuditVerification {
  readonly rows: number;
  /** Rows from before the chain began. */
  readonly unchained: number;
  readonly head: AuditHead | undefined;
  readonly firstBroken:
    | { readonly id: string; readonly at: string; readonly reason: 'hash_mismatch' | 'link_broken' | 'hash_missing' }
    | undefined;
}

/** Who did what, append only: each row of a tenant holds the hash of the one before it. */
export interface AuditRepository {
  record(tenantId: string, entry: AuditEntry): Promise<void>;
  /** Newest first; positions are ids. */
  list(tenantId: string, filter: AuditFilter, page: PageRequest): Promise<Page<StoredAuditEntry>>;
  /** Oldest first, behind an id. */
  listFrom(
    tenantId: string,
    filter: AuditFilter,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly StoredAuditEntry[]>;
  /** The newest row of the chain: what an anchor keeps elsewhere. */
  findHead(tenantId: string): Promise<AuditHead | undefined>;
  /** Walks the chain from its first row to the newest, or to the first row that breaks it. */
  verify(tenantId: string): Promise<AuditVerification>;
}

/** Rows of one look while the chain is walked. */
const WALK_ROWS = 2_000;

/** Appends in the transaction that does it; last in there, because writers of one tenant take their turns from here on. */
export async function recordAudit(
  tx: TenantTransaction,
  tenantId: string,
  { actor, action, subject, detail }: AuditEntry,
): Promise<void> {
  await tx.auditLog.create({
    data: {
      ...{ tenantId, action, actor: storedText(actor), subject: storedText(subject) },
      detail: jsonColumn(detail ?? {}),
    },
    select: { id: true },
  });
}

export function createAuditRepository(database: Database): AuditRepository {
  const reading = { idempotent: true };
  return {
    record: (tenantId, entry) => database.withTenant(tenantId, (tx) => recordAudit(tx, tenantId, entry)),

    list: (tenantId, filter, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const rows = await tx.auditLog.findMany({
            where: { ...whereOf(tenantId, filter), ...(after === undefined ? {} : { id: { lt: BigInt(after) } }) },
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          return pageOf(rows, limit, storedEntry, (row) => String(row.id));
        },
        reading,
      ),

    listFrom: (tenantId, filter, afterId, limit) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const rows = await tx.auditLog.findMany({
            where: { ...whereOf(tenantId, filter), id: { gt: BigInt(afterId ?? 0) } },
            orderBy: { id: 'asc' },
            take: limit,
          });
          return rows.map(storedEntry);
        },
        reading,
      ),

    findHead: (tenantId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await tx.auditLog.findFirst({ where: { tenantId }, orderBy: { id: 'desc' } });
          return row?.hash == null ? undefined : { id: String(row.id), hash: bytesToHex(row.hash) };
        },
        reading,
      ),

    async verify(tenantId) {
      let seen: Walked = { rows: 0, unchained: 0, head: undefined, firstBroken: undefined };
      for (let after = 0n; ;) {
        const from = after;
        const rows = await database.withTenant(tenantId, (tx) => walkFrom(tx, tenantId, from), reading);
        for (const row of rows) {
          seen = walked(seen, row);
          if (seen.firstBroken !== undefined) return seen;
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < WALK_ROWS) return seen;
        after = last.id;
      }
    },
  };
}

function whereOf(tenantId: string, { actor, action, subject, from, to }: AuditFilter): Prisma.AuditLogWhereInput {
  return {
    tenantId,
    ...(actor === undefined ? {} : { actor: storedText(actor) }),
    ...(action === undefined ? {} : { action: storedText(action) }),
    ...(subject === undefined ? {} : { subject: storedText(subject) }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) } }),
  };
}

interface WalkedRow {
  readonly id: bigint;
  readonly at: Date;
  readonly hash: string | null;
  readonly prevHash: string | null;
  /** What the hash of its words is now. */
  readonly computed: string;
}

type Walked = AuditVerification;

function walkFrom(tx: TenantTransaction, tenantId: string, after: bigint): Promise<WalkedRow[]> {
  return tx.$queryRaw<WalkedRow[]>`
    select id, at, encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as "prevHash",
      encode(holdfast_audit_hash(id, tenant_id, actor, action, subject, detail, at, prev_hash), 'hex') as computed
    from audit_log where tenant_id = ${tenantId}::uuid and id > ${after} order by id limit ${WALK_ROWS}::int`;
}

function walked({ rows, unchained, head }: Walked, row: WalkedRow): Walked {
  const broken = (reason: 'hash_mismatch' | 'link_broken' | 'hash_missing'): Walked => ({
    ...{ rows: rows + 1, unchained, head },
    firstBroken: { id: String(row.id), at: row.at.toISOString(), reason },
  });
  if (row.hash === null) {
    if (head !== undefined) return broken('hash_missing');
    return { rows: rows + 1, unchained: unchained + 1, head, firstBroken: undefined };
  }
  if (row.hash !== row.computed) return broken('hash_mismatch');
  if ((row.prevHash ?? undefined) !== head?.hash) return broken('link_broken');
  return { rows: rows + 1, unchained, head: { id: String(row.id), hash: row.hash }, firstBroken: undefined };
}

function storedEntry(row: AuditLog): StoredAuditEntry {
  return {
    id: String(row.id),
    actor: originalText(row.actor),
    action: row.action,
    subject: originalText(row.subject),
    detail: typeof row.detail === 'object' && row.detail !== null ? { ...row.detail } : {},
    at: row.at.toISOString(),
    hash: row.hash === null ? undefined : bytesToHex(row.hash),
    prevHash: row.prevHash === null ? undefined : bytesToHex(row.prevHash),
  };
}
