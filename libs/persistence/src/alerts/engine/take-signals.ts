import type { TenantTransaction } from '../../transaction';
import { jsonColumn } from '../../json-column';
import { newId } from '../../uuid';
import { ensureStandardRules } from '../settings/standard-rules';
import { storedRule, type StoredRule, type StoredSignal } from './alert-rows';

/** An alert that a rule sees, by what tells it apart from the others of the rule. */
export interface Sighting {
  readonly ruleId: string;
  readonly fingerprint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tier: StoredRule['tier'];
  readonly occurrences: number;
  /** Codes, names and ids of the newest occurrence; no content. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What signals mean by the rules of their tenant, in their order: what was over may have come back since. */
export type SignalMeaning = readonly (
  | { readonly kind: 'seen'; readonly sighting: Sighting }
  /** An event ends the alert. */
  | { readonly kind: 'over'; readonly ruleId: string; readonly fingerprint: string }
)[];

export type JudgeSignals = (rules: readonly StoredRule[], signals: readonly StoredSignal[]) => SignalMeaning;

/**
 * Takes signals that nobody has taken, oldest first, and writes down what they mean in the same transaction: an alert that is
 * live is counted on, any other begins. Answers how many signals were taken.
 */
export async function takeSignals(
  tx: TenantTransaction,
  tenantId: string,
  limit: number,
  judge: JudgeSignals,
): Promise<number> {
  const locked = await tx.$queryRaw<{ id: bigint }[]>`
    select id from alert_signals where tenant_id = ${tenantId}::uuid and taken_at is null
    order by id limit ${limit}::int for update skip locked`;
  if (locked.length === 0) return 0;
  await ensureStandardRules(tx, tenantId);
  const rows = await tx.alertSignal.findMany({
    where: { tenantId, id: { in: locked.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  const rules = await tx.alertRule.findMany({ where: { tenantId, enabled: true }, orderBy: { id: 'asc' } });
  const signals = rows.map(({ id, type, agentId, subject, detail, at }) => ({
    ...{ id, type, subject, atMs: at.getTime(), agentId: agentId ?? undefined },
    detail: detail as StoredSignal['detail'],
  }));
  for (const step of judge(rules.map(storedRule), signals)) {
    if (step.kind === 'seen') await writeSighting(tx, tenantId, step.sighting);
    else await endAlert(tx, tenantId, step.ruleId, step.fingerprint);
  }
  await tx.$executeRaw`
    update alert_signals set taken_at = clock_timestamp()
    where tenant_id = ${tenantId}::uuid and id = any(${locked.map(({ id }) => id)}::bigint[])`;
  return rows.length;
}

/** An event fires at once; what is told of it, and when, is decided by whoever notifies. */
async function writeSighting(tx: TenantTransaction, tenantId: string, sighting: Sighting): Promise<void> {
  const { ruleId, fingerprint, labels, tier, occurrences, detail } = sighting;
  await tx.$executeRaw`
    insert into alert_instances as i (tenant_id, id, rule_id, fingerprint, labels, tier, state, count, detail, fired_at,
      next_notify_at)
    values (${tenantId}::uuid, ${newId()}::uuid, ${ruleId}::uuid, ${fingerprint}, ${jsonColumn(labels)}::jsonb, ${tier},
      'firing', ${BigInt(occurrences)}, ${jsonColumn(detail)}::jsonb, clock_timestamp(),
      case when ${tier} = 'count' then null else clock_timestamp() end)
    on conflict (tenant_id, rule_id, fingerprint) where state <> 'resolved' do update set
      count = i.count + excluded.count, detail = excluded.detail, last_at = clock_timestamp(), clear_since = null,
      next_notify_at = case
        when i.tier = 'count' or i.state = 'acknowledged' then i.next_notify_at
        else least(coalesce(i.next_notify_at, excluded.next_notify_at), excluded.next_notify_at)
      end`;
}

async function endAlert(tx: TenantTransaction, tenantId: string, ruleId: string, fingerprint: string): Promise<void> {
  await tx.$executeRaw`
    update alert_instances set state = 'resolved', resolved_at = clock_timestamp(),
      next_notify_at = case when told_state is null then null else clock_timestamp() end
    where tenant_id = ${tenantId}::uuid and rule_id = ${ruleId}::uuid and fingerprint = ${fingerprint}
      and state <> 'resolved'`;
}
