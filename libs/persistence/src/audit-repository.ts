import type { Database, TenantTransaction } from './database';
import { jsonColumn } from './json-column';
import { storedText } from './text';

export interface AuditEntry {
  /** Who did it: the id of a key, `system`. */
  readonly actor: string;
  /** `agent.put`, `key.revoke`. */
  readonly action: string;
  readonly subject: string;
  /** Names, codes and ids; no content. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Who did what, append only. */
export interface AuditRepository {
  record(tenantId: string, entry: AuditEntry): Promise<void>;
}

export function createAuditRepository(database: Database): AuditRepository {
  return {
    record: (tenantId, entry) => database.withTenant(tenantId, (tx) => recordAudit(tx, tenantId, entry)),
  };
}

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
