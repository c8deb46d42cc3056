import { writeSignal } from '../alerts/write-signal';
import type { TenantTransaction } from '../database';

export type DriftSignalType = 'drift.detected' | 'drift.regressed' | 'drift.escalated' | 'drift.resolved';

/** What an alert about a group is made of: codes and ids, no content. */
export interface DriftSignal {
  readonly agentId: string;
  readonly groupId: string;
  readonly kind: string;
  readonly fieldKind: string;
  readonly severity: string;
  /** Where it was seen, if somewhere. */
  readonly sessionId?: string | null;
  readonly compactionId?: string | null;
}

/** Owes an alert, or the end of one, in the transaction that makes it true. */
export async function writeDriftSignal(
  tx: TenantTransaction,
  tenantId: string,
  type: DriftSignalType,
  { agentId, groupId, kind, fieldKind, severity, sessionId, compactionId }: DriftSignal,
): Promise<void> {
  await writeSignal(tx, tenantId, {
    ...{ type, agentId, subject: groupId },
    detail: {
      ...{ group_id: groupId, kind, field_kind: fieldKind, severity },
      ...(sessionId == null ? {} : { session_id: sessionId }),
      ...(compactionId == null ? {} : { compaction_id: compactionId }),
    },
  });
}
