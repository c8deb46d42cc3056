import type { Database } from './database';
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
    record: (tenantId, { actor, action, subject, detail }) =>
      database.withTenant(tenantId, async (tx) => {
        await tx.auditLog.create({
          data: {
            ...{ tenantId, action, actor: storedText(actor), subject: storedText(subject) },
            detail: jsonColumn(detail ?? {}),
          },
          select: { id: true },
        });
      }),
  };
}
