import type { AlertNotification, AttemptResult, DeliveryState } from '@holdfast/alerting';
import { recordAudit } from '../../audit-repository';
import type { Database, TenantTransaction } from '../../database';
import type { AlertAttempt, AlertDelivery, Prisma } from '../../generated/client';
import { packJson, unpackJson } from '../../packed-json';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../../page';
import { originalText, storedText } from '../../text';
import { newId } from '../../uuid';
import type { SettingsActor } from './settings-actor';

export type DeliveryAction = 'trigger' | 'acknowledge' | 'resolve' | 'test';

/** Times in ISO 8601 from the database's clock. */
export interface StoredDelivery {
  readonly id: string;
  /** Undefined for a test. */
  readonly alertId: string | undefined;
  readonly channel: { readonly id: string; readonly name: string; readonly kind: string };
  readonly action: DeliveryAction;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string | undefined;
  readonly createdAt: string;
  readonly finishedAt: string | undefined;
}

export interface StoredAttempt {
  readonly no: number;
  readonly outcome: AttemptResult['outcome'];
  readonly statusCode: number | undefined;
  readonly latencyMs: number;
  readonly errorCode: string | undefined;
  readonly detail: string | undefined;
  /** The start of the answer, secrets masked. */
  readonly response: string | undefined;
  readonly at: string;
}

export interface DeliveryDetail {
  readonly delivery: StoredDelivery;
  readonly notification: AlertNotification;
  readonly tries: readonly StoredAttempt[];
}

export interface DeliveryFilter {
  /** Undefined for all agents, and for alerts of none. */
  readonly agentIds: readonly string[] | undefined;
  readonly channelId?: string | undefined;
  readonly alertId?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly action?: DeliveryAction | undefined;
}

export type ResendAnswer =
  | { readonly kind: 'done'; readonly delivery: StoredDelivery }
  /** It is still being tried. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'channel_disabled' }
  | { readonly kind: 'unknown' };

export type ReplayAnswer =
  | { readonly kind: 'done'; readonly replayed: number; readonly isWhole: boolean }
  | { readonly kind: 'channel_disabled' }
  | { readonly kind: 'unknown' };

/** What was sent to channels. A message that is sent again keeps its id, by which receivers know it. */
export interface DeliveryRepository {
  /** Newest first. */
  list(tenantId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<StoredDelivery>>;
  find(tenantId: string, id: string): Promise<DeliveryDetail | undefined>;
  resend(by: SettingsActor, id: string): Promise<ResendAnswer>;
  /** Sends again, oldest first, what a channel missed since then; not whole when there is more. */
  replay(by: SettingsActor, channelId: string, since: Date): Promise<ReplayAnswer>;
  /** Writes down a test that was made, with its one attempt. */
  recordTest(
    by: SettingsActor,
    channelId: string,
    notification: AlertNotification,
    result: AttemptResult,
  ): Promise<DeliveryDetail>;
}

/** Messages that one replay sends again. */
const MOST_REPLAYED = 1_000;
const WITH_CHANNEL = { channel: { select: { name: true, kind: true, status: true } } } as const;
type Row = AlertDelivery & {
  readonly channel: { readonly name: string; readonly kind: string; readonly status: string };
};

export function createDeliveryRepository(database: Database): DeliveryRepository {
  const reading = { idempotent: true };
  return {
    list: (tenantId, { agentIds, channelId, alertId, state, action }, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const rows = await tx.alertDelivery.findMany({
            where: {
              tenantId,
              ...(channelId === undefined ? {} : { channelId }),
              ...(alertId === undefined ? {} : { instanceId: alertId }),
              ...(state === undefined ? {} : { state }),
              ...(action === undefined ? {} : { action }),
              ...(agentIds === undefined ? {} : { OR: agentIds.map(ofAgent) }),
              ...(after === undefined ? {} : { id: { lt: after } }),
            },
            // Ids grow with time.
            orderBy: { id: 'desc' },
            take: limit + 1,
            include: WITH_CHANNEL,
          });
          return pageOf(rows, limit, storedDelivery, (row) => row.id);
        },
        reading,
      ),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await deliveryRow(tx, tenantId, id);
          return row === undefined ? undefined : deliveryDetail(tx, row);
        },
        reading,
      ),

    resend: ({ tenantId, actor }, id) =>
      database.withTenant(tenantId, async (tx) => {
        const row = await deliveryRow(tx, tenantId, id);
        if (row === undefined) return { kind: 'unknown' };
        if (row.state === 'pending') return { kind: 'pending' };
        if (row.channel.status !== 'active') return { kind: 'channel_disabled' };
        const copy = await copyOf(tx, row);
        await recordAudit(tx, tenantId, { actor, action: 'delivery.resent', subject: id, detail: { as: copy } });
        const written = await deliveryRow(tx, tenantId, copy);
        return written === undefined ? { kind: 'unknown' } : { kind: 'done', delivery: storedDelivery(written) };
      }),

    replay: ({ tenantId, actor }, channelId, since) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(channelId)) return { kind: 'unknown' };
          const where = { tenantId_id: { tenantId, id: channelId } };
          const channel = await tx.alertChannel.findUnique({ where, select: { status: true } });
          if (channel === null) return { kind: 'unknown' };
          if (channel.status !== 'active') return { kind: 'channel_disabled' };
          const missed = await missedSince(tx, tenantId, channelId, since);
          const again = missed.slice(0, MOST_REPLAYED);
          for (const row of again) await copyOf(tx, row);
          const detail = { since: since.toISOString(), replayed: again.length };
          await recordAudit(tx, tenantId, { actor, action: 'channel.replayed', subject: channelId, detail });
          return { kind: 'done', replayed: again.length, isWhole: missed.length <= MOST_REPLAYED };
        },
        { timeoutMs: 30_000 },
      ),

    recordTest: ({ tenantId, actor }, channelId, notification, result) =>
      database.withTenant(tenantId, async (tx) => {
        const id = notification.notificationId;
        const isDelivered = result.outcome === 'delivered';
        const state: DeliveryState = isDelivered ? 'delivered' : 'failed_permanently';
        const packed = await packJson(notification);
        await tx.$executeRaw`
          insert into alert_deliveries
            (tenant_id, id, channel_id, action, state, notification, attempts, next_attempt_at, finished_at)
          values (${tenantId}::uuid, ${id}::uuid, ${channelId}::uuid, 'test', ${state}, ${packed}, 1, null,
            clock_timestamp())`;
        await tx.alertAttempt.create({
          data: {
            ...{ tenantId, deliveryId: id, no: 1, outcome: result.outcome, statusCode: result.statusCode ?? null },
            ...{ latencyMs: Math.round(result.latencyMs), errorCode: result.errorCode },
            ...{ detail: storedText(result.detail), response: Buffer.from(result.responseExcerpt, 'utf8') },
          },
          select: { no: true },
        });
        if (isDelivered) {
          await tx.$executeRaw`
            update alert_channels set last_success_at = clock_timestamp(), failing_since = null
            where tenant_id = ${tenantId}::uuid and id = ${channelId}::uuid`;
        }
        const detail = { outcome: result.outcome, code: result.errorCode };
        await recordAudit(tx, tenantId, { actor, action: 'channel.tested', subject: channelId, detail });
        const where = { tenantId_id: { tenantId, id } };
        return deliveryDetail(tx, await tx.alertDelivery.findUniqueOrThrow({ where, include: WITH_CHANNEL }));
      }),
  };
}

function ofAgent(agent: string): Prisma.AlertDeliveryWhereInput {
  return { instance: { labels: { path: ['agent'], equals: agent } } };
}

async function deliveryDetail(tx: TenantTransaction, row: Row): Promise<DeliveryDetail> {
  const { tenantId, id: deliveryId } = row;
  const tries = await tx.alertAttempt.findMany({ where: { tenantId, deliveryId }, orderBy: { no: 'asc' } });
  return {
    delivery: storedDelivery(row),
    // Packed by whoever made the delivery, from a notification.
    notification: (await unpackJson(row.notification)) as AlertNotification,
    tries: tries.map(storedAttempt),
  };
}

async function deliveryRow(tx: TenantTransaction, tenantId: string, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined;
  const where = { tenantId_id: { tenantId, id } };
  return (await tx.alertDelivery.findUnique({ where, include: WITH_CHANNEL })) ?? undefined;
}

/** The same message, to be sent anew. Answers its id. */
async function copyOf(
  tx: TenantTransaction,
  { tenantId, instanceId, channelId, action, notification }: AlertDelivery,
): Promise<string> {
  const id = newId();
  await tx.alertDelivery.create({
    data: { tenantId, id, instanceId, channelId, action, notification },
    select: { id: true },
  });
  return id;
}

/** Messages of which no delivery arrived or is under way, each once, oldest first; one more than a replay sends. */
async function missedSince(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
  since: Date,
): Promise<readonly AlertDelivery[]> {
  const missed = await tx.$queryRaw<{ id: string }[]>`
    select min(d.id::text) as id from alert_deliveries d
    where d.tenant_id = ${tenantId}::uuid and d.channel_id = ${channelId}::uuid and d.created_at >= ${since}
      and d.action <> 'test'
    group by sha256(d.notification)
    having bool_and(d.state not in ('delivered', 'pending'))
    order by 1 limit ${MOST_REPLAYED + 1}::int`;
  return tx.alertDelivery.findMany({
    where: { tenantId, id: { in: missed.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
}

function storedDelivery(row: Row): StoredDelivery {
  return {
    id: row.id,
    alertId: row.instanceId ?? undefined,
    channel: { id: row.channelId, name: originalText(row.channel.name), kind: row.channel.kind },
    action: row.action as DeliveryAction,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString(),
  };
}

function storedAttempt(row: AlertAttempt): StoredAttempt {
  return {
    no: row.no,
    outcome: row.outcome as StoredAttempt['outcome'],
    statusCode: row.statusCode ?? undefined,
    latencyMs: row.latencyMs,
    errorCode: row.errorCode ?? undefined,
    detail: row.detail === null ? undefined : originalText(row.detail),
    response: row.response === null ? undefined : Buffer.from(row.response).toString('utf8'),
    at: row.at.toISOString(),
  };
}
