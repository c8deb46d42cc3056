import type { TenantTransaction } from '../database';
import { jsonColumn } from '../json-column';

/** Something that somebody may want to be told of; rules of alerting decide whether anybody is. */
export interface SignalDraft {
  readonly type: 'compaction.refused' | 'compaction.refusal_resolved' | 'compaction.failed';
  readonly agentId: string;
  /** Refusal group or compaction. */
  readonly subject: string;
  /** Codes, counts, names and ids; no content. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Owed by the transaction that makes it true: whoever sees the one sees the other. */
export async function writeSignal(tx: TenantTransaction, tenantId: string, signal: SignalDraft): Promise<void> {
  const { type, agentId, subject, detail } = signal;
  await tx.alertSignal.create({
    data: { tenantId, type, agentId, subject, detail: jsonColumn(detail) },
    select: { id: true },
  });
}
