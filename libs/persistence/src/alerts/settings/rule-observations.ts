import {
  type AlertRule,
  type AlertType,
  type MinuteCount,
  type OpenSpan,
  type RuleObservations,
  signalLabels,
} from '@holdfast/alerting';
import type { Database, TenantTransaction } from '../../database';
import { Prisma } from '../../generated/client';
import { fromJsonColumn } from '../../json-column';

/** What a rule would have looked at over the last days; not whole where there is more than fits. */
export interface ObservedPast {
  readonly observations: RuleObservations;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isWhole: boolean;
}

/** What happened lately, for trying a rule on it. */
export interface RulePastRepository {
  observe(tenantId: string, rule: AlertRule, days: number): Promise<ObservedPast>;
}

const DAY_MS = 86_400_000;
/** Rows that one preview looks at. */
const MOST_ROWS = 100_000;
/** How long before the period something may have begun. */
const LONGEST_BEFORE_DAYS = 30;

export function createRulePastRepository(database: Database): RulePastRepository {
  return {
    observe: (tenantId, rule, days) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
          const to = clock?.now ?? new Date();
          const from = new Date(to.getTime() - days * DAY_MS);
          const { observations, rows } = await observe(tx, tenantId, rule, from, to);
          return { observations, fromMs: from.getTime(), toMs: to.getTime(), isWhole: rows <= MOST_ROWS };
        },
        { idempotent: true },
      ),
  };
}

interface Observed {
  readonly observations: RuleObservations;
  readonly rows: number;
}

async function observe(
  tx: TenantTransaction,
  tenantId: string,
  rule: AlertRule,
  from: Date,
  to: Date,
): Promise<Observed> {
  switch (rule.kind) {
    case 'event':
      return observeEvents(tx, tenantId, rule.eventTypes, from);
    case 'threshold':
      return observeCounts(tx, tenantId, [rule.metric], before(from, rule.windowMs));
    case 'ratio':
      return observeCounts(tx, tenantId, [rule.numerator, rule.denominator], before(from, rule.windowMs));
    case 'absence':
      return spansOf(await silentSpans(tx, tenantId, rule.silentForMs, before(from, LONGEST_BEFORE_DAYS * DAY_MS), to));
    case 'age':
      return spansOf(await waitingSpans(tx, tenantId, from, to));
  }
}

function before(at: Date, ms: number): Date {
  return new Date(at.getTime() - ms);
}

async function observeEvents(
  tx: TenantTransaction,
  tenantId: string,
  types: readonly string[],
  from: Date,
): Promise<Observed> {
  const rows = await tx.alertSignal.findMany({
    where: { tenantId, type: { in: [...types] }, at: { gte: from } },
    orderBy: { id: 'desc' },
    take: MOST_ROWS + 1,
    select: { type: true, agentId: true, detail: true, at: true },
  });
  const events = rows.reverse().map(({ type, agentId, detail, at }) => {
    const read = fromJsonColumn(detail) as Readonly<Record<string, unknown>>;
    return { type: type as AlertType, labels: signalLabels({ type, agentId, detail: read }), atMs: at.getTime() };
  });
  return { observations: { kind: 'events', events }, rows: rows.length };
}

async function observeCounts(
  tx: TenantTransaction,
  tenantId: string,
  metrics: readonly string[],
  from: Date,
): Promise<Observed> {
  const counts: MinuteCount[] = [];
  for (const metric of new Set(metrics)) {
    const source = factsOf(metric, tenantId, from);
    if (source === undefined) continue;
    const rows = await tx.$queryRaw<{ agent: string; minute: number; n: number }[]>`
      select agent, (floor(extract(epoch from at) / 60) * 60)::float8 as minute, count(*)::int as n
      from (${source}) facts group by 1, 2 order by 2 desc limit ${MOST_ROWS + 1}::int`;
    for (const { agent, minute, n } of rows) counts.push({ metric, agent, atMs: minute * 1_000, count: n });
  }
  counts.sort((a, b) => a.atMs - b.atMs);
  return { observations: { kind: 'counts', counts }, rows: counts.length };
}

/** When each fact of a metric happened, and to which agent; undefined for a metric that nobody counts. */
function factsOf(metric: string, tenantId: string, from: Date): Prisma.Sql | undefined {
  switch (metric) {
    case 'passes':
      return passes(tenantId, from, Prisma.empty);
    case 'passes_refused':
      return passes(tenantId, from, Prisma.sql`and outcome = 'refused'`);
    case 'passes_failed':
      return passes(tenantId, from, Prisma.sql`and outcome = 'failed'`);
    case 'drift_incidents':
      return Prisma.sql`select agent_id as agent, occurred_at as at from drift_incidents
        where tenant_id = ${tenantId}::uuid and occurred_at >= ${from}`;
    case 'duplicates_blocked':
      return Prisma.sql`select agent_id as agent, at from effect_attempts
        where tenant_id = ${tenantId}::uuid and answer = 'duplicate' and agent_id is not null and at >= ${from}`;
    case 'tool_rejections':
      return Prisma.sql`select agent_id as agent, at from tool_outcomes
        where tenant_id = ${tenantId}::uuid and outcome = 'rejected' and at >= ${from}`;
    default:
      return undefined;
  }
}

function passes(tenantId: string, from: Date, which: Prisma.Sql): Prisma.Sql {
  // No pass runs for a day: what was finished since then was accepted a day before at most.
  return Prisma.sql`select agent_id as agent, finished_at as at from compactions
    where tenant_id = ${tenantId}::uuid and accepted_at >= ${from}::timestamptz - interval '1 day'
      and finished_at >= ${from} ${which}`;
}

interface SpanRow {
  readonly agent: string;
  readonly code: string | null;
  readonly since: Date;
  readonly until: Date;
}

function spansOf(rows: readonly SpanRow[]): Observed {
  const spans = rows.slice(0, MOST_ROWS).map(({ agent, code, since, until }): OpenSpan => ({
    labels: { agent, ...(code === null ? {} : { code }) },
    ...{ fromMs: since.getTime(), toMs: until.getTime() },
  }));
  return { observations: { kind: 'spans', spans }, rows: rows.length };
}

/** Between two windows of an agent, and since its last one. */
function silentSpans(
  tx: TenantTransaction,
  tenantId: string,
  silentForMs: number,
  from: Date,
  to: Date,
): Promise<readonly SpanRow[]> {
  return tx.$queryRaw<SpanRow[]>`
    select agent, null::text as code, since, until from (
      select agent_id as agent, accepted_at as since,
        lead(accepted_at, 1, ${to}::timestamptz) over (partition by agent_id order by accepted_at) as until
      from compactions where tenant_id = ${tenantId}::uuid and accepted_at >= ${from}
    ) seen
    where until - since >= ${silentForMs}::float8 * interval '1 ms' limit ${MOST_ROWS + 1}::int`;
}

/** From when a refusal was first seen until somebody took care of it. */
function waitingSpans(tx: TenantTransaction, tenantId: string, from: Date, to: Date): Promise<readonly SpanRow[]> {
  return tx.$queryRaw<SpanRow[]>`
    select agent_id as agent, code, first_seen_at as since,
      coalesce(least(acknowledged_at, resolved_at), ${to}::timestamptz) as until
    from refusal_groups
    where tenant_id = ${tenantId}::uuid and coalesce(least(acknowledged_at, resolved_at), ${to}::timestamptz) >= ${from}
    limit ${MOST_ROWS + 1}::int`;
}
