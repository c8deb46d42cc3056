import { writeSignal } from '../alerts/write-signal';
import type { Effect } from '../generated/client';
import type { TenantTransaction } from '../transaction';

type Signalled = Pick<Effect, 'id' | 'no' | 'agentId' | 'sessionId' | 'action' | 'kind' | 'idempotencyKey'>;

/** Nobody knows how the effect ended. One with a key wakes somebody: the gate lets nobody fire it again until they look. */
export async function signalUnknown(tx: TenantTransaction, tenantId: string, effect: Signalled): Promise<void> {
  await writeSignal(tx, tenantId, {
    ...{ type: 'effect.outcome_unknown', agentId: effect.agentId, subject: effect.id, detail: detailOf(effect) },
  });
}

/**
 * How the effect ended is known now. An alert speaks of what an agent's tool left unknown, so it is over with the last of
 * them.
 */
export async function signalKnown(tx: TenantTransaction, tenantId: string, effect: Signalled): Promise<void> {
  const { agentId, action, idempotencyKey } = effect;
  const other = await tx.effect.findFirst({
    where: {
      ...{ tenantId, agentId, action, status: 'unknown', id: { not: effect.id } },
      idempotencyKey: idempotencyKey === null ? null : { not: null },
    },
    select: { id: true },
  });
  if (other !== null) return;
  await writeSignal(tx, tenantId, {
    ...{ type: 'effect.outcome_known', agentId, subject: effect.id, detail: detailOf(effect) },
  });
}

function detailOf({ no, sessionId, action, kind, idempotencyKey }: Signalled): Readonly<Record<string, unknown>> {
  return { effect: `E${no}`, session_id: sessionId, tool: action, kind, keyed: idempotencyKey !== null };
}
