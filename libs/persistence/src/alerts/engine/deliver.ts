import type { TenantTransaction } from '../../transaction';
import { unpackJson } from '../../packed-json';
import { storedText } from '../../text';
import { writeSignal } from '../write-signal';

/** A delivery in the hands of one process, for as long as its lease lives. */
export interface TakenDelivery {
  readonly tenantId: string;
  readonly id: string;
  readonly channelId: string;
  readonly channelKind: string;
  /** False for a channel that was disabled since. */
  readonly channelActive: boolean;
  readonly action: 'trigger' | 'acknowledge' | 'resolve' | 'test';
  /** Of the alert's trigger to the same channel; null when there is none. */
  readonly triggerState: string | null;
  /** Attempts that were counted before this one. */
  readonly attempts: number;
  readonly notification: unknown;
}

export interface AttemptRecord {
  readonly outcome: 'delivered' | 'retry' | 'permanent' | 'gone';
  readonly statusCode: number | undefined;
  readonly latencyMs: number;
  readonly errorCode: string | undefined;
  readonly detail: string | undefined;
  readonly responseExcerpt: string | undefined;
}

/** What becomes of a delivery and its channel after an attempt. */
export interface DeliveryStep {
  readonly state: 'pending' | 'delivered' | 'failed_permanently' | 'abandoned' | 'suppressed';
  readonly attempts: number;
  /** Milliseconds until the next attempt, of one that is pending. */
  readonly delayMs: number;
  /** Undefined when nobody asked the receiver. */
  readonly attempt: AttemptRecord | undefined;
  readonly failingSince: number | null;
  readonly isSuccess: boolean;
  /** Why the channel is not to be used any more. */
  readonly disabledReason: string | undefined;
  /** How long the receiver asked to be left alone. */
  readonly pauseMs: number | undefined;
}

/**
 * Takes a delivery that is due; whoever else looks at it meanwhile finds it not due. While a receiver wants to be left alone
 * nothing to it is.
 */
export async function takeDelivery(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  leaseMs: number,
): Promise<TakenDelivery | undefined> {
  const taken = await tx.$executeRaw`
    update alert_deliveries set next_attempt_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and state = 'pending'
      and next_attempt_at <= clock_timestamp()
      and not exists (
        select from alert_channels c where c.tenant_id = ${tenantId}::uuid and c.id = alert_deliveries.channel_id
          and c.paused_until > clock_timestamp()
      )`;
  if (taken === 0) return undefined;
  const row = await tx.alertDelivery.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id } },
    include: { channel: { select: { kind: true, status: true } } },
  });
  const trigger =
    row.instanceId === null || row.action === 'trigger'
      ? null
      : await tx.alertDelivery.findFirst({
          where: { tenantId, instanceId: row.instanceId, channelId: row.channelId, action: 'trigger' },
          orderBy: { id: 'desc' },
          select: { state: true },
        });
  return {
    ...{ tenantId, id, channelId: row.channelId, channelKind: row.channel.kind },
    channelActive: row.channel.status === 'active',
    action: row.action as TakenDelivery['action'],
    triggerState: trigger?.state ?? null,
    attempts: row.attempts,
    notification: await unpackJson(row.notification),
  };
}

/** Failures of a channel in a row, and since when. */
export async function channelHealth(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
): Promise<{
  readonly failingSince: number | null;
  readonly failuresInRow: number;
  readonly lastSuccessAt: number | null;
}> {
  const { failingSince, lastSuccessAt } = await tx.alertChannel.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: channelId } },
    select: { failingSince: true, lastSuccessAt: true },
  });
  const failuresInRow =
    failingSince === null
      ? 0
      : await tx.alertAttempt.count({
          where: { tenantId, at: { gte: failingSince }, outcome: { not: 'delivered' }, delivery: { channelId } },
        });
  return {
    failingSince: failingSince?.getTime() ?? null,
    failuresInRow,
    lastSuccessAt: lastSuccessAt?.getTime() ?? null,
  };
}

/** Writes down what an attempt came to. A channel that is disabled by it owes a signal. */
export async function finishDelivery(
  tx: TenantTransaction,
  { tenantId, id, channelId }: TakenDelivery,
  step: DeliveryStep,
): Promise<void> {
  const { state, attempts, delayMs, attempt } = step;
  if (attempt !== undefined) {
    const { outcome, statusCode, latencyMs, errorCode, detail, responseExcerpt } = attempt;
    await tx.alertAttempt.createMany({
      data: {
        ...{ tenantId, deliveryId: id, no: attempts, outcome, latencyMs: Math.round(latencyMs) },
        ...{ statusCode: statusCode ?? null, errorCode: errorCode ?? null },
        detail: detail === undefined ? null : storedText(detail),
        response: responseExcerpt === undefined ? null : new Uint8Array(Buffer.from(responseExcerpt, 'utf8')),
      },
      skipDuplicates: true,
    });
  }
  await tx.$executeRaw`
    update alert_deliveries set state = ${state}, attempts = ${attempts}::int, claimed_until = null,
      next_attempt_at = case when ${state} = 'pending'
        then clock_timestamp() + ${delayMs}::float8 * interval '1 ms' end,
      finished_at = case when ${state} <> 'pending' then clock_timestamp() end
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  if (attempt === undefined) return;
  await tx.$executeRaw`
    update alert_channels set
      failing_since = ${step.failingSince === null ? null : new Date(step.failingSince)}::timestamptz,
      last_success_at = case when ${step.isSuccess} then clock_timestamp() else last_success_at end,
      paused_until = case when ${step.pauseMs ?? 0}::float8 > 0
        then clock_timestamp() + ${step.pauseMs ?? 0}::float8 * interval '1 ms' else paused_until end
    where tenant_id = ${tenantId}::uuid and id = ${channelId}::uuid`;
  if (step.disabledReason === undefined) return;
  const disabled = await tx.alertChannel.updateMany({
    where: { tenantId, id: channelId, status: 'active' },
    data: { status: 'disabled', disabledReason: storedText(step.disabledReason) },
  });
  if (disabled.count === 0) return;
  const detail = { channel: channelId };
  await writeSignal(tx, tenantId, { type: 'channel.disabled', agentId: null, subject: channelId, detail });
}
