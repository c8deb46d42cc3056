import type { AlertType } from '@holdfast/alerting';
import { jsonColumn } from '../json-column';
import type { TenantTransaction } from '../transaction';

/** Types that only end an alert; nobody is told of them by themselves. */
export type EndingType = 'drift.resolved' | 'effect.outcome_known';

/** Something that somebody may want to be told of; rules of alerting decide whether anybody is. */
export interface SignalDraft {
  readonly type: AlertType | EndingType;
  /** Null where it is about no agent. */
  readonly agentId: string | null;
  /** Refusal group, drift group, effect, compaction, session or channel. */
  readonly subject: string;
  /** Codes, counts, names and ids (`session_id`, `compaction_id`); no content. */
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
