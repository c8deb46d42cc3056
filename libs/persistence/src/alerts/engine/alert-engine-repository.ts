import type { Database } from '../../database';
import type { TenantTransaction } from '../../transaction';
import { openChannel } from '../settings/open-channel';
import { storedInstance, type StoredInstance, storedRule, type StoredRule } from './alert-rows';
import { channelHealth, type DeliveryStep, finishDelivery, takeDelivery, type TakenDelivery } from './deliver';
import { type DecideNotify, type JudgedInstance, notifyInstance, writeJudged } from './notify-instance';
import { agentsLastSeen, countFacts, isRuleMetric, oldestOpenRefusals, type RuleMetric } from './rule-numbers';
import { type JudgeSignals, takeSignals } from './take-signals';

export interface DueRow {
  readonly tenantId: string;
  readonly id: string;
}

export interface DueDelivery extends DueRow {
  readonly attempts: number;
}

/** The numbers that a rule is judged by, read in its transaction. */
export interface RuleNumbers {
  readonly nowMs: number;
  /** Undefined for a metric that nobody counts. */
  countFacts(metric: string, windowMs: number): Promise<ReadonlyMap<string, number> | undefined>;
  agentsLastSeen(): ReturnType<typeof agentsLastSeen>;
  oldestOpenRefusals(): ReturnType<typeof oldestOpenRefusals>;
}

/** Judges a rule; `live` has its alerts that are not resolved, by fingerprint. */
export type JudgeRule = (
  rule: StoredRule,
  numbers: RuleNumbers,
  live: ReadonlyMap<string, StoredInstance>,
) => Promise<readonly JudgedInstance[]>;

/** What the dispatcher of alerts asks of the store. What anything means is decided by the functions that it brings. */
export interface AlertEngineRepository {
  /** Tenants with signals that nobody has taken. */
  tenantsWithSignals(limit: number): Promise<readonly string[]>;
  takeSignals(tenantId: string, limit: number, judge: JudgeSignals): Promise<number>;
  dueInstances(limit: number): Promise<readonly DueRow[]>;
  notify(due: DueRow, decide: DecideNotify): Promise<boolean>;
  /** Rules whose turn it is: those that look at numbers, and those whose alerts end by being quiet. */
  dueRules(limit: number): Promise<readonly DueRow[]>;
  judge(due: DueRow, everyMs: number, judge: JudgeRule): Promise<void>;
  /** Deliveries that are due, each handed out once in `holdMs`. */
  dueDeliveries(limit: number, holdMs: number): Promise<readonly DueDelivery[]>;
  /** The tenant of a delivery, whose id is all that a job carries. */
  tenantOfDelivery(id: string): Promise<string | undefined>;
  take(due: DueRow, leaseMs: number): Promise<TakenDelivery | undefined>;
  /** The channel with its secrets, for nothing but sending to it. */
  openChannel(taken: TakenDelivery): ReturnType<typeof openChannel>;
  health(taken: TakenDelivery): ReturnType<typeof channelHealth>;
  finish(taken: TakenDelivery, step: DeliveryStep): Promise<void>;
}

export function createAlertEngineRepository(database: Database): AlertEngineRepository {
  const once = { idempotent: true };
  const nowOf = async (tx: TenantTransaction): Promise<number> => {
    const [row] = await tx.$queryRaw<
      { ms: number }[]
    >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    return row?.ms ?? 0;
  };
  return {
    tenantsWithSignals: (limit) =>
      database.asSystem(async (tx) => {
        const rows = await tx.$queryRaw<{ tenantId: string }[]>`
          select distinct tenant_id::text as "tenantId" from (
            select tenant_id from alert_signals where taken_at is null order by id limit ${limit}::int
          ) waiting`;
        return rows.map(({ tenantId }) => tenantId);
      }, once),

    takeSignals: (tenantId, limit, judge) =>
      database.withTenant(tenantId, (tx) => takeSignals(tx, tenantId, limit, judge), once),

    dueInstances: (limit) =>
      database.asSystem(
        (tx) => tx.$queryRaw<DueRow[]>`
          select tenant_id::text as "tenantId", id::text from alert_instances
          where next_notify_at <= clock_timestamp() order by next_notify_at limit ${limit}::int`,
        once,
      ),

    notify: ({ tenantId, id }, decide) =>
      database.withTenant(tenantId, (tx) => notifyInstance(tx, tenantId, id, decide), once),

    dueRules: (limit) =>
      database.asSystem(
        (tx) => tx.$queryRaw<DueRow[]>`
          select tenant_id::text as "tenantId", id::text from alert_rules
          where enabled and next_run_at <= clock_timestamp() order by next_run_at limit ${limit}::int`,
        once,
      ),

    judge: ({ tenantId, id }, everyMs, judge) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          // Another process may have judged it meanwhile, and then it is not due.
          const taken = await tx.$executeRaw`
            update alert_rules set next_run_at = clock_timestamp() + ${everyMs}::float8 * interval '1 ms'
            where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and enabled and next_run_at <= clock_timestamp()`;
          if (taken === 0) return;
          const rule = storedRule(await tx.alertRule.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } }));
          // Signals are counted into the same rows.
          await tx.$queryRaw`
            select 1 as locked from alert_instances
            where tenant_id = ${tenantId}::uuid and rule_id = ${id}::uuid and state <> 'resolved' order by id for update`;
          const rows = await tx.alertInstance.findMany({
            where: { tenantId, ruleId: id, state: { not: 'resolved' } },
            take: 10_000,
          });
          const live = new Map(rows.map((row) => [row.fingerprint, storedInstance(row)]));
          const numbers: RuleNumbers = {
            nowMs: await nowOf(tx),
            countFacts: async (metric, windowMs) =>
              isRuleMetric(metric) ? countFacts(tx, tenantId, metric satisfies RuleMetric, windowMs) : undefined,
            agentsLastSeen: () => agentsLastSeen(tx, tenantId),
            oldestOpenRefusals: () => oldestOpenRefusals(tx, tenantId),
          };
          for (const judged of await judge(rule, numbers, live)) {
            await writeJudged(tx, tenantId, rule, live.get(judged.fingerprint), judged);
          }
        },
        once,
      ),

    async dueDeliveries(limit, holdMs) {
      const found = await database.asSystem(
        (tx) => tx.$queryRaw<DueRow[]>`
          select tenant_id::text as "tenantId", id::text from alert_deliveries
          where state = 'pending' and next_attempt_at <= clock_timestamp()
            and (claimed_until is null or claimed_until <= clock_timestamp())
          order by next_attempt_at limit ${limit}::int`,
        once,
      );
      const held = await Promise.all(
        [...byTenant(found)].map(([tenantId, ids]) =>
          database.withTenant(
            tenantId,
            (tx) => tx.$queryRaw<DueDelivery[]>`
              update alert_deliveries set claimed_until = clock_timestamp() + ${holdMs}::float8 * interval '1 ms'
              where tenant_id = ${tenantId}::uuid and id = any(${[...ids]}::uuid[]) and state = 'pending'
                and (claimed_until is null or claimed_until <= clock_timestamp())
              returning tenant_id::text as "tenantId", id::text, attempts`,
          ),
        ),
      );
      return held.flat();
    },

    tenantOfDelivery: (id) =>
      database.asSystem(async (tx) => {
        const [row] = await tx.$queryRaw<{ tenantId: string }[]>`
          select tenant_id::text as "tenantId" from alert_deliveries where id = ${id}::uuid`;
        return row?.tenantId;
      }, once),

    take: ({ tenantId, id }, leaseMs) => database.withTenant(tenantId, (tx) => takeDelivery(tx, tenantId, id, leaseMs)),

    openChannel: ({ tenantId, channelId }) =>
      database.withTenant(tenantId, (tx) => openChannel(tx, tenantId, channelId), once),

    health: ({ tenantId, channelId }) =>
      database.withTenant(tenantId, (tx) => channelHealth(tx, tenantId, channelId), once),

    finish: (taken, step) => database.withTenant(taken.tenantId, (tx) => finishDelivery(tx, taken, step), once),
  };
}

function byTenant(rows: readonly DueRow[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { tenantId, id } of rows) found.set(tenantId, [...(found.get(tenantId) ?? []), id]);
  return found;
}
