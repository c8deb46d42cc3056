import { recordAudit } from '../../audit-repository';
import type { Database, TenantTransaction } from '../../database';
import { type AlertInstance, type AlertRule, Prisma } from '../../generated/client';
import { fromJsonColumn } from '../../json-column';
import { EMPTY_PAGE, isUuid, type Page, type PageRequest } from '../../page';
import { originalText, storedText } from '../../text';
import type { SettingsActor } from './settings-actor';

export type AlertState = 'pending' | 'firing' | 'acknowledged' | 'resolved';

/** One alert as people see it; times in ISO 8601 from the database's clock. */
export interface StoredAlert {
  readonly id: string;
  readonly rule: { readonly id: string; readonly name: string; readonly kind: string };
  readonly labels: Readonly<Record<string, string>>;
  readonly tier: 'page' | 'ticket' | 'count';
  readonly state: AlertState;
  readonly count: number;
  /** What was seen last: codes, names, counts and ids; no content. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly firedAt: string | undefined;
  readonly acknowledgedAt: string | undefined;
  readonly acknowledgedBy: string | undefined;
  readonly resolvedAt: string | undefined;
  /** The silence that holds it back. */
  readonly silencedBy: string | undefined;
}

export interface AlertFilter {
  /** Undefined for all agents, and for alerts of none. */
  readonly agentIds: readonly string[] | undefined;
  readonly state?: AlertState | undefined;
  readonly tier?: StoredAlert['tier'] | undefined;
  readonly ruleId?: string | undefined;
}

/** Who acts, and for which agents. */
export interface AlertActor extends SettingsActor {
  readonly agentIds: readonly string[] | undefined;
}

export type AlertAnswer =
  | { readonly kind: 'done'; readonly alert: StoredAlert }
  /** Nobody was told of it: it does not fire yet. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'unknown' };

/** Alerts as somebody takes care of them. What anybody does is told to the channels that were told of the alert. */
export interface AlertRepository {
  /** By when they were last seen, newest first. */
  list(tenantId: string, filter: AlertFilter, page: PageRequest): Promise<Page<StoredAlert>>;
  find(tenantId: string, id: string): Promise<StoredAlert | undefined>;
  /** Ends repeats and escalation. One that is acknowledged already stays as it is. */
  acknowledge(by: AlertActor, id: string, comment: string | undefined): Promise<AlertAnswer>;
  /** What happens again is a new alert. */
  resolve(by: AlertActor, id: string, comment: string | undefined): Promise<AlertAnswer>;
}

type Row = AlertInstance & { readonly rule: AlertRule };

export function createAlertRepository(database: Database): AlertRepository {
  return {
    list: (tenantId, filter, page) =>
      database.withTenant(tenantId, (tx) => listAlerts(tx, tenantId, filter, page), { idempotent: true }),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await alertRow(tx, tenantId, id);
          return row === undefined ? undefined : storedAlert(row);
        },
        { idempotent: true },
      ),

    acknowledge: (by, id, comment) =>
      act(database, by, id, 'alert.acknowledged', comment, async (tx, { state }) => {
        if (state === 'acknowledged') return false;
        await tx.$executeRaw`
          update alert_instances set state = 'acknowledged', acknowledged_at = clock_timestamp(),
            acknowledged_by = ${storedText(by.actor)}, next_notify_at = clock_timestamp()
          where tenant_id = ${by.tenantId}::uuid and id = ${id}::uuid`;
        return true;
      }),

    resolve: (by, id, comment) =>
      act(database, by, id, 'alert.resolved', comment, async (tx) => {
        await tx.$executeRaw`
          update alert_instances set state = 'resolved', resolved_at = clock_timestamp(),
            next_notify_at = clock_timestamp()
          where tenant_id = ${by.tenantId}::uuid and id = ${id}::uuid`;
        return true;
      }),
  };
}

async function act(
  database: Database,
  { tenantId, actor, agentIds }: AlertActor,
  id: string,
  action: string,
  comment: string | undefined,
  /** False when nothing was to be done. */
  write: (tx: TenantTransaction, row: Row) => Promise<boolean>,
): Promise<AlertAnswer> {
  if (!isUuid(id)) return { kind: 'unknown' };
  return database.withTenant(tenantId, async (tx) => {
    await tx.$queryRaw`
      select id::text from alert_instances where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for update`;
    const row = await alertRow(tx, tenantId, id);
    if (row === undefined || !isOf(row, agentIds)) return { kind: 'unknown' };
    if (row.state === 'pending' || row.state === 'resolved') return { kind: row.state };
    const isWritten = await write(tx, row);
    const changed = (await alertRow(tx, tenantId, id)) ?? row;
    if (isWritten) {
      const detail = comment === undefined ? {} : { comment };
      await recordAudit(tx, tenantId, { actor, action, subject: id, detail });
    }
    return { kind: 'done', alert: storedAlert(changed) };
  });
}

async function listAlerts(
  tx: TenantTransaction,
  tenantId: string,
  filter: AlertFilter,
  { limit, after }: PageRequest,
): Promise<Page<StoredAlert>> {
  const [micros, id] = (after ?? '').split('.');
  if (after !== undefined && (id === undefined || !isUuid(id) || !/^\d{1,18}$/u.test(micros ?? ''))) return EMPTY_PAGE;
  const behind =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`and (last_at, id) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`;
  const found = await tx.$queryRaw<{ id: string; micros: bigint }[]>`
    select id::text as id, (extract(epoch from last_at) * 1000000)::bigint as micros from alert_instances
    where ${conditions(tenantId, filter)} ${behind}
    order by last_at desc, alert_instances.id desc limit ${limit + 1}::int`;
  const shown = found.slice(0, limit);
  const rows = await tx.alertInstance.findMany({
    where: { tenantId, id: { in: shown.map((row) => row.id) } },
    include: { rule: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const last = shown.at(-1);
  return {
    items: shown.flatMap((row) => byId.get(row.id) ?? []).map(storedAlert),
    next: found.length > limit && last !== undefined ? `${last.micros}.${last.id}` : undefined,
  };
}

function conditions(tenantId: string, { agentIds, state, tier, ruleId }: AlertFilter): Prisma.Sql {
  const parts = [Prisma.sql`tenant_id = ${tenantId}::uuid`];
  if (agentIds !== undefined) parts.push(Prisma.sql`labels ->> 'agent' = any(${[...agentIds]}::text[])`);
  if (state !== undefined) parts.push(Prisma.sql`state = ${state}`);
  if (tier !== undefined) parts.push(Prisma.sql`tier = ${tier}`);
  if (ruleId !== undefined) parts.push(Prisma.sql`rule_id = ${ruleId}::uuid`);
  return Prisma.join(parts, ' and ');
}

async function alertRow(tx: TenantTransaction, tenantId: string, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined;
  const where = { tenantId_id: { tenantId, id } };
  return (await tx.alertInstance.findUnique({ where, include: { rule: true } })) ?? undefined;
}

function labelsOf({ labels }: AlertInstance): StoredAlert['labels'] {
  return fromJsonColumn(labels) as StoredAlert['labels'];
}

function isOf(row: AlertInstance, agentIds: readonly string[] | undefined): boolean {
  return agentIds === undefined || agentIds.includes(labelsOf(row)['agent'] ?? '');
}

function storedAlert(row: Row): StoredAlert {
  return {
    id: row.id,
    rule: { id: row.ruleId, name: originalText(row.rule.name), kind: row.rule.kind },
    labels: labelsOf(row),
    tier: row.tier as StoredAlert['tier'],
    state: row.state as AlertState,
    count: Number(row.count),
    detail: fromJsonColumn(row.detail) as StoredAlert['detail'],
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    firedAt: row.firedAt?.toISOString(),
    acknowledgedAt: row.acknowledgedAt?.toISOString(),
    acknowledgedBy: row.acknowledgedBy === null ? undefined : originalText(row.acknowledgedBy),
    resolvedAt: row.resolvedAt?.toISOString(),
    silencedBy: row.silencedBy ?? undefined,
  };
}
