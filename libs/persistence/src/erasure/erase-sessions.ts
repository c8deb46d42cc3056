import type { Database, TenantTransaction } from '../database';
import { packJson } from '../packed-json';

/** What stands where words of an erased session stood. */
export const ERASED_TEXT = '[erased]';

/** Sessions of one transaction. */
const BATCH_SESSIONS = 100;
const BATCH_TIMEOUT_MS = 60_000;

export interface ErasedSessions {
  readonly sessions: number;
  readonly effects: number;
  readonly compactions: number;
  /** Rows that quote words of windows, with secrets masked, and can only be appended to. */
  readonly kept: Readonly<Record<'receipts' | 'refusals' | 'drift_incidents' | 'effect_attempts', number>>;
}

const NOTHING: ErasedSessions = {
  sessions: 0,
  effects: 0,
  compactions: 0,
  kept: { receipts: 0, refusals: 0, drift_incidents: 0, effect_attempts: 0 },
};

/**
 * Makes sessions erased, in batches: their passes under way lose the session, texts of effects and passes go, subject
 * too; numbers, digests, statuses and the ledger's lines stay. Their originals go with {@link eraseUnneeded}. Safe to repeat.
 */
export async function eraseSessions(
  database: Database,
  tenantId: string,
  sessionIds: readonly string[],
): Promise<ErasedSessions> {
  let erased = NOTHING;
  for (let at = 0; at < sessionIds.length; at += BATCH_SESSIONS) {
    const ids = sessionIds.slice(at, at + BATCH_SESSIONS);
    const batch = await database.withTenant(tenantId, (tx) => eraseBatch(tx, tenantId, ids), {
      timeoutMs: BATCH_TIMEOUT_MS,
    });
    erased = {
      sessions: erased.sessions + batch.sessions,
      effects: erased.effects + batch.effects,
      compactions: erased.compactions + batch.compactions,
      kept: {
        receipts: erased.kept.receipts + batch.kept.receipts,
        refusals: erased.kept.refusals + batch.kept.refusals,
        drift_incidents: erased.kept.drift_incidents + batch.kept.drift_incidents,
        effect_attempts: erased.kept.effect_attempts + batch.kept.effect_attempts,
      },
    };
  }
  return erased;
}

async function eraseBatch(tx: TenantTransaction, tenantId: string, ids: readonly string[]): Promise<ErasedSessions> {
  // The raised epoch fences off whatever pass is under way: it stores nothing behind the erasure.
  const sessions = await tx.$executeRaw`
    update sessions set erased_at = clock_timestamp(), subject = null, lease_epoch = lease_epoch + 1
    where tenant_id = ${tenantId}::uuid and id = any(${[...ids]}::uuid[])`;
  const effects = await tx.$executeRaw`
    update effects e set target = ${ERASED_TEXT}, status_raw = null, evidence = ${await packJson('')},
      kept_values = ${await packJson([])},
      idempotency_key = case when idempotency_key is null or idempotency_key like 'erased:%' then idempotency_key
        else 'erased:' || encode(sha256(t.seal_key || convert_to(e.idempotency_key, 'UTF8')), 'hex') end
    from tenants t
    where t.id = e.tenant_id and e.tenant_id = ${tenantId}::uuid and e.session_id = any(${[...ids]}::uuid[])
      and e.target <> ${ERASED_TEXT}`;
  const compactions = await tx.$executeRaw`
    update compactions set request = null, notices = null, secured_state = null, reason = null
    where tenant_id = ${tenantId}::uuid and session_id = any(${[...ids]}::uuid[])
      and (request is not null or notices is not null or secured_state is not null or reason is not null)`;
  const [kept] = await tx.$queryRaw<ErasedSessions['kept'][]>`
    select
      (select count(*) from receipts where tenant_id = ${tenantId}::uuid and session_id = any(${[...ids]}::uuid[]))::int
        as receipts,
      (select count(*) from refusals where tenant_id = ${tenantId}::uuid and session_id = any(${[...ids]}::uuid[]))::int
        as refusals,
      (select count(*) from drift_incidents
        where tenant_id = ${tenantId}::uuid and session_id = any(${[...ids]}::uuid[]))::int as drift_incidents,
      (select count(*) from effect_attempts a join effects e on e.tenant_id = a.tenant_id and e.id = a.effect_id
        where a.tenant_id = ${tenantId}::uuid and e.session_id = any(${[...ids]}::uuid[]) and a.evidence is not null)::int
        as effect_attempts`;
  return { sessions, effects, compactions, kept: kept ?? NOTHING.kept };
}
