import type { AlertNotification, AlertSeverity } from '../alert-notification';
import type { GuardedHttp } from '../outbound/guarded-http';
import { alertFacts, alertSummary } from './alert-wording';
import type { PagerDutyChannel } from './channel-configuration';
import { plainLine, plainLink } from './plain-line';
import type { SendAlert } from './send-alert';

const EVENTS_URL = 'https://events.pagerduty.com/v2/enqueue';
const MOST_SUMMARY = 1_024;
const MOST_DEDUP_KEY = 255;

const SEVERITIES: Readonly<Record<AlertSeverity, string>> = { page: 'critical', ticket: 'warning', count: 'info' };

/** An event of the Events API, version 2. Acknowledge and resolve find their trigger by the key of the alert. */
export function pagerDutyEvent(notification: AlertNotification, routingKey: string): object {
  const addressed = {
    routing_key: routingKey,
    event_action: notification.action,
    dedup_key: plainLine(`holdfast:${notification.instanceId}`, MOST_DEDUP_KEY),
  };
  if (notification.action !== 'trigger') return addressed;
  const links = [
    { href: plainLink(notification.dashboardUrl), text: 'Open in Holdfast' },
    { href: plainLink(notification.runbookUrl), text: 'Runbook' },
  ].filter(({ href }) => href !== null);
  return {
    ...addressed,
    client: 'Holdfast',
    payload: {
      summary: alertSummary(notification, MOST_SUMMARY),
      source: plainLine(notification.agentId ?? notification.tenantId, 255),
      severity: SEVERITIES[notification.severity],
      timestamp: notification.occurredAt,
      component: plainLine(notification.agentId ?? '', 255),
      group: plainLine(notification.tenantId, 255),
      class: plainLine(notification.code ?? notification.type, 255),
      custom_details: Object.fromEntries(alertFacts(notification).map(({ label, value }) => [label, value])),
    },
    links,
  };
}

/** A rejection other than 429 is final: the same event is as wrong tomorrow. */
export function createPagerDutySender(http: GuardedHttp): SendAlert<PagerDutyChannel> {
  return (notification, channel, signal) =>
    http(
      {
        url: channel.events_url ?? EVENTS_URL,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'holdfast-alerts/1' },
        body: JSON.stringify(pagerDutyEvent(notification, channel.routing_key)),
        secrets: [channel.routing_key],
      },
      signal,
    );
}
