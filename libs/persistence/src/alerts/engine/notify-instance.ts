import type { TenantTransaction } from '../../transaction';
import { jsonColumn } from '../../json-column';
import { packJson } from '../../packed-json';
import { newId } from '../../uuid';
import { storedInstance, type StoredInstance, storedRule, type StoredRule } from './alert-rows';

export interface StoredSilence {
  readonly id: string;
  readonly matchers: unknown;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Everything that decides whether and whom an alert is told. */
export interface NotifyContext {
  readonly instance: StoredInstance;
  readonly rule: StoredRule;
  /** Channels that are in use. */
  readonly channels: readonly { readonly id: string; readonly kind: string }[];
  readonly silences: readonly StoredSilence[];
  /** Labels of every alert that fires now. */
  readonly firing: readonly Readonly<Record<string, string>>[];
  readonly nowMs: number;
}

export interface Message {
  readonly channelId: string;
  readonly action: 'trigger' | 'acknowledge' | 'resolve';
  /** JSON without its `notificationId`, which is the delivery's id. */
  readonly notification: Readonly<Record<string, unknown>>;
}

export interface NotifyDecision {
  readonly messages: readonly Message[];
  /** What counts as told from now on; undefined: nothing was told. */
  readonly told?: { readonly state: StoredInstance['state']; readonly steps: readonly number[] };
  readonly silencedBy: string | null;
  /** When to look again; null: not before something happens. */
  readonly nextMs: number | null;
}

export type DecideNotify = (context: NotifyContext) => NotifyDecision;

/** Decides on one alert and writes its messages down, in one transaction. False when it is not due any more. */
export async function notifyInstance(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  decide: DecideNotify,
): Promise<boolean> {
  const [due] = await tx.$queryRaw<{ nowMs: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs" from alert_instances
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and next_notify_at <= clock_timestamp()
    for update skip locked`;
  if (due === undefined) return false;
  const row = await tx.alertInstance.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id } },
    include: { rule: true },
  });
  const instance = storedInstance(row);
  const decision = decide({
    ...{ instance, rule: storedRule(row.rule), nowMs: due.nowMs },
    channels: await tx.alertChannel.findMany({
      where: { tenantId, status: 'active' },
      select: { id: true, kind: true },
      orderBy: { id: 'asc' },
    }),
    silences: await silencesInForce(tx, tenantId),
    firing: await firingLabels(tx, tenantId),
  });
  for (const { channelId, action, notification } of decision.messages) {
    const deliveryId = newId();
    await tx.alertDelivery.create({
      data: {
        ...{ tenantId, id: deliveryId, instanceId: id, channelId, action },
        notification: await packJson({ ...notification, notificationId: deliveryId }),
      },
      select: { id: true },
    });
  }
  const { told, silencedBy, nextMs } = decision;
  await tx.alertInstance.update({
    where: { tenantId_id: { tenantId, id } },
    data: {
      silencedBy,
      nextNotifyAt: nextMs === null ? null : new Date(nextMs),
      ...(told === undefined
        ? {}
        : {
            ...{ toldState: told.state, toldAt: new Date(due.nowMs), toldSteps: [...told.steps] },
            notifiedCount: BigInt(instance.count),
          }),
    },
    select: { id: true },
  });
  return true;
}

async function silencesInForce(tx: TenantTransaction, tenantId: string): Promise<readonly StoredSilence[]> {
  const rows = await tx.$queryRaw<{ id: string; matchers: unknown; startsAt: Date; endsAt: Date }[]>`
    select id::text, matchers, starts_at as "startsAt", ends_at as "endsAt" from alert_silences
    where tenant_id = ${tenantId}::uuid and starts_at <= clock_timestamp() and ends_at > clock_timestamp()`;
  return rows.map(({ id, matchers, startsAt, endsAt }) => ({
    ...{ id, matchers, startsAt: startsAt.getTime(), endsAt: endsAt.getTime() },
  }));
}

async function firingLabels(
  tx: TenantTransaction,
  tenantId: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const rows = await tx.alertInstance.findMany({
    where: { tenantId, state: { in: ['firing', 'acknowledged'] } },
    select: { labels: true },
    take: 10_000,
  });
  return rows.map(({ labels }) => labels as Record<string, string>);
}

/** What a judged rule makes of an alert of its own: the row that begins, changes or ends. */
export interface JudgedInstance {
  readonly fingerprint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The alert as it stands now; `inactive` one begins or goes back to nothing. */
  readonly next: Omit<StoredInstance, 'id' | 'ruleId' | 'labels' | 'tier' | 'detail' | 'state'> & {
    readonly state: StoredInstance['state'] | 'inactive';
  };
  /** True where channels are to be told of it. */
  readonly tell: boolean;
}

/** Writes down what the evaluation of a rule came to. */
export async function writeJudged(
  tx: TenantTransaction,
  tenantId: string,
  rule: StoredRule,
  known: StoredInstance | undefined,
  judged: JudgedInstance,
): Promise<void> {
  const { fingerprint, labels, detail, next, tell } = judged;
  const at = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  if (next.state === 'inactive') {
    // What never fired leaves no trace.
    if (known !== undefined)
      await tx.$executeRaw`
        update alert_instances set state = 'resolved', resolved_at = clock_timestamp(), next_notify_at = null
        where tenant_id = ${tenantId}::uuid and id = ${known.id}::uuid`;
    return;
  }
  const isTold = tell && rule.tier !== 'count';
  const data = {
    ...{ state: next.state, count: BigInt(next.count), detail: jsonColumn(detail) },
    ...{ lastAt: new Date(next.lastAt), pendingSince: at(next.pendingSince), clearSince: at(next.clearSince) },
    ...{ firedAt: at(next.firedAt), resolvedAt: at(next.resolvedAt) },
    ...(isTold ? { nextNotifyAt: new Date(0) } : {}),
  };
  if (known !== undefined)
    await tx.alertInstance.update({ where: { tenantId_id: { tenantId, id: known.id } }, data, select: { id: true } });
  else
    await tx.alertInstance.create({
      data: {
        ...{ tenantId, id: newId(), ruleId: rule.id, fingerprint, labels: jsonColumn(labels) },
        ...{ ...data, tier: rule.tier, firstAt: new Date(next.firstAt) },
      },
      select: { id: true },
    });
}
