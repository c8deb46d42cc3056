import { webhookBody } from '@holdfast/alerting';
import {
  type AttemptResponse,
  CHANNEL_KINDS,
  type DeliveryDetailResponse,
  type DeliveryResponse,
} from '@holdfast/contracts';
import type { DeliveryDetail, StoredAttempt, StoredDelivery } from '../ports/repositories';

export function deliveryView(delivery: StoredDelivery): DeliveryResponse {
  const { id, name, kind } = delivery.channel;
  return {
    id: delivery.id,
    alert_id: delivery.alertId ?? null,
    channel: { id, name, kind: CHANNEL_KINDS.find((each) => each === kind) ?? 'webhook' },
    action: delivery.action,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt ?? null,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt ?? null,
  };
}

export function deliveryDetailView({ delivery, notification, tries }: DeliveryDetail): DeliveryDetailResponse {
  return {
    ...deliveryView(delivery),
    message: JSON.parse(webhookBody(notification)) as Record<string, unknown>,
    message_id: notification.notificationId,
    tries: tries.map(attemptView),
  };
}

export function attemptView(attempt: StoredAttempt): AttemptResponse {
  return {
    no: attempt.no,
    outcome: attempt.outcome,
    status_code: attempt.statusCode ?? null,
    latency_ms: attempt.latencyMs,
    error_code: attempt.errorCode ?? null,
    detail: attempt.detail ?? null,
    response: attempt.response ?? null,
    at: attempt.at,
  };
}
