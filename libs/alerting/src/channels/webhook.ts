import type { AlertNotification } from '../alert-notification';
import { failedAttempt } from '../outbound/attempt-result';
import type { GuardedHttp } from '../outbound/guarded-http';
import { alertTitle, boundedNotification } from './alert-wording';
import type { WebhookChannel } from './channel-configuration';
import { plainLink } from './plain-line';
import type { SendAlert } from './send-alert';
import { signWebhook } from './webhook-signature';

/** The id stands in a header and in what is signed, where a dot separates. */
const MESSAGE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The body: below 20 kB whatever the names in it are, and the same bytes at every attempt. */
export function webhookBody(notification: AlertNotification): string {
  const told = boundedNotification(notification);
  return JSON.stringify({
    type: told.type,
    timestamp: told.occurredAt,
    data: {
      instance_id: told.instanceId,
      action: told.action,
      severity: told.severity,
      title: alertTitle(told),
      tenant_id: told.tenantId,
      agent_id: told.agentId,
      session_id: told.sessionId,
      code: told.code,
      tool_names: told.toolNames,
      agent_stuck: told.agentStuck,
      headroom_tokens: told.headroomTokens,
      first_repair: told.firstRepair,
      occurrences: told.occurrences,
      first_seen_at: told.firstSeenAt,
      last_seen_at: told.lastSeenAt,
      dashboard_url: plainLink(told.dashboardUrl),
      runbook_url: plainLink(told.runbookUrl),
    },
  });
}

function signingSecrets(channel: WebhookChannel, nowMs: number): string[] {
  const { signing_secret: secret, previous_signing_secret: previous, previous_secret_until: until } = channel;
  const rotating = previous !== undefined && until !== undefined && nowMs < Date.parse(until);
  return rotating ? [secret, previous] : [secret];
}

/**
 * Standard Webhooks 1. The id is the notification's, the same over all attempts; the timestamp is the attempt's, so that a
 * receiver may reject what is old. Any rejection but 410 is tried again: receivers are deployed, rotated and repaired.
 */
export function createWebhookSender(http: GuardedHttp): SendAlert<WebhookChannel> {
  return async (notification, channel, signal) => {
    const id = notification.notificationId;
    if (!MESSAGE_ID.test(id)) {
      const detail = 'The id of the notification may hold letters, digits, _ and - only.';
      return failedAttempt({ outcome: 'permanent', code: 'REQUEST_INVALID', detail }, 0);
    }
    const nowMs = Date.now();
    const timestamp = Math.floor(nowMs / 1_000);
    const secrets = signingSecrets(channel, nowMs);
    const body = webhookBody(notification);
    const signature = signWebhook(id, timestamp, body, secrets);
    if (signature === '') {
      const detail = 'The signing secret of the channel is not usable.';
      return failedAttempt({ outcome: 'permanent', code: 'CHANNEL_INVALID', detail }, 0);
    }
    return http(
      {
        url: channel.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'holdfast-webhooks/1',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
        },
        body,
        secrets,
        isFinalRejection: () => false,
      },
      signal,
    );
  };
}
