import { randomUUID } from 'node:crypto';
import type { AlertNotification } from '@holdfast/alerting';

/** The message that a test sends: an alert of no agent, which wakes nobody where severities are told apart. */
export function testNotification(tenantId: string, dashboardUrl: string | undefined, now: Date): AlertNotification {
  const id = randomUUID();
  const at = now.toISOString();
  return {
    notificationId: id,
    instanceId: id,
    action: 'trigger',
    type: 'channel.test',
    severity: 'count',
    occurredAt: at,
    tenantId,
    agentId: null,
    sessionId: null,
    code: null,
    toolNames: [],
    agentStuck: null,
    headroomTokens: null,
    firstRepair: null,
    occurrences: 1,
    firstSeenAt: at,
    lastSeenAt: at,
    dashboardUrl: dashboardUrl === undefined ? null : new URL('alerts', `${dashboardUrl.replace(/\/$/u, '')}/`).href,
    runbookUrl: null,
  };
}
