import type { AlertNotification, AlertType } from '../alert-notification';
import type { GuardedHttp } from '../outbound/guarded-http';
import { alertFacts, alertSummary, alertTitle, boundedNotification } from './alert-wording';
import type { AlertmanagerChannel } from './channel-configuration';
import { plainLink } from './plain-line';
import type { SendAlert } from './send-alert';

/** An Alertmanager forgets an alert that is not said again: send the trigger once a minute while the alert fires, */
export const ALERTMANAGER_RESEND_MS = 60_000;
/** and its resolve for five minutes, so that a restarted Alertmanager hears it too. */
export const ALERTMANAGER_RESOLVED_MS = 300_000;

/** `compaction.refused` → `HoldfastCompactionRefused`. A resolve that has a type of its own bears the name of its trigger. */
function alertName(type: AlertType): string {
  const named = type === 'compaction.refusal_resolved' ? 'compaction.refused' : type;
  const words = named.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Holdfast${words.join('')}`;
}

function withoutEmpty(entries: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value]])),
  );
}

/** The labels are the alert's identity, so nothing stands in them that changes between its trigger and its resolve. */
export function alertmanagerAlert(notification: AlertNotification): object {
  const told = boundedNotification(notification);
  const repair = alertFacts(notification).find(({ label }) => label === 'First repair')?.value ?? null;
  const generatorURL = plainLink(told.dashboardUrl);
  return {
    labels: withoutEmpty({
      alertname: alertName(told.type),
      alert_instance: told.instanceId,
      severity: told.severity,
      tenant: told.tenantId,
      agent: told.agentId,
      code: told.code,
    }),
    annotations: withoutEmpty({
      summary: alertTitle(told),
      description: alertSummary(notification, 2_000),
      first_repair: repair,
      session: told.sessionId,
      occurrences: String(told.occurrences),
      runbook_url: plainLink(told.runbookUrl),
      acknowledged: told.action === 'acknowledge' ? 'true' : null,
    }),
    startsAt: told.firstSeenAt,
    ...(told.action === 'resolve' ? { endsAt: told.occurredAt } : {}),
    ...(generatorURL === null ? {} : { generatorURL }),
  };
}

/** A URL that is none is left to the guard, which says so. */
function alertsUrl(base: string): string {
  if (!URL.canParse(base)) return base;
  const url = new URL(base);
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}/api/v2/alerts`;
  return url.href;
}

function authorization(channel: AlertmanagerChannel): { header: string; secrets: string[] } | null {
  if (channel.bearer_token !== undefined) {
    return { header: `Bearer ${channel.bearer_token}`, secrets: [channel.bearer_token] };
  }
  if (channel.user_name === undefined || channel.password === undefined) return null;
  const encoded = Buffer.from(`${channel.user_name}:${channel.password}`, 'utf8').toString('base64');
  return { header: `Basic ${encoded}`, secrets: [channel.password, encoded] };
}

/** The API of Alertmanager, version 2. Saying an alert again while it lasts is the caller's business. */
export function createAlertmanagerSender(http: GuardedHttp): SendAlert<AlertmanagerChannel> {
  return (notification, channel, signal) => {
    const auth = authorization(channel);
    return http(
      {
        url: alertsUrl(channel.url),
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'holdfast-alerts/1',
          ...(auth === null ? {} : { authorization: auth.header }),
        },
        body: JSON.stringify([alertmanagerAlert(notification)]),
        secrets: auth?.secrets ?? [],
      },
      signal,
    );
  };
}
