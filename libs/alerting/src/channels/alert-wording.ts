import type { AlertAction, AlertNotification, AlertType } from '../alert-notification';
import { plainLine } from './plain-line';

const TYPE_WORDS: Readonly<Record<AlertType, string>> = {
  'compaction.refused': 'Compaction refused',
  'compaction.refusal_resolved': 'Refusal resolved',
  'compaction.failed': 'Compaction failed',
  'compaction.held': 'Content held: its class is ambiguous',
  'session.headroom_low': 'Little headroom is left',
  'drift.detected': 'Drift found',
  'drift.regressed': 'Drift is back',
  'drift.escalated': 'Drift is getting worse',
  'effect.duplicate_blocked': 'A repeated write was blocked',
  'effect.outcome_unknown': 'A write has an unknown outcome',
  'effect.outcome_disputed': 'Two words on how a write ended',
  'effect.conflict': 'One key for two different writes',
  'agent.silent': 'An agent went silent',
  'platform.degraded': 'The platform is degraded',
  'refusal.unattended': 'A refusal waits for somebody',
  'rule.threshold_crossed': 'A limit was crossed',
  'channel.disabled': 'An alert channel was disabled',
  'channel.test': 'Test of this channel',
  heartbeat: 'Alerting is alive',
};

const ACTION_WORDS: Readonly<Record<AlertAction, string>> = {
  trigger: '',
  acknowledge: 'Acknowledged: ',
  resolve: 'Resolved: ',
};

const MOST_NAME_BYTES = 800;
const MOST_TOOL_BYTES = 128;
const MOST_TOOLS = 10;
const MOST_REPAIR_BYTES = 1_000;

/** A notification with every text bounded, so that a message is bounded whatever a tool or a session is called. */
export function boundedNotification(notification: AlertNotification): AlertNotification {
  const name = (text: string | null) => (text === null ? null : plainLine(text, MOST_NAME_BYTES));
  return {
    ...notification,
    tenantId: plainLine(notification.tenantId, MOST_NAME_BYTES),
    agentId: name(notification.agentId),
    sessionId: name(notification.sessionId),
    code: notification.code === null ? null : plainLine(notification.code, MOST_TOOL_BYTES),
    toolNames: notification.toolNames.slice(0, MOST_TOOLS).map((tool) => plainLine(tool, MOST_TOOL_BYTES)),
    firstRepair: notification.firstRepair === null ? null : plainLine(notification.firstRepair, MOST_REPAIR_BYTES),
  };
}

/** "Compaction refused: AMBIGUOUS_ELEMENT" */
export function alertTitle(notification: AlertNotification): string {
  const code = notification.code === null ? '' : `: ${notification.code}`;
  const action = notification.type === 'compaction.refusal_resolved' ? '' : ACTION_WORDS[notification.action];
  return plainLine(`${action}${TYPE_WORDS[notification.type]}${code}`, 300);
}

function toolWords(shown: readonly string[], count: number): string | null {
  if (shown.length === 0) return null;
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ');
}

function stuckWords(stuck: boolean | null): string | null {
  if (stuck === null) return null;
  return stuck ? 'stuck until somebody acts' : 'goes on with its old window';
}

export interface AlertFact {
  readonly label: string;
  readonly value: string;
}

/** What is known, in the order in which somebody who was woken asks. Numbers are exact. */
export function alertFacts(notification: AlertNotification): readonly AlertFact[] {
  const bounded = boundedNotification(notification);
  const facts: readonly (readonly [string, string | null])[] = [
    ['Agent', bounded.agentId],
    ['State', stuckWords(bounded.agentStuck)],
    ['Tools', toolWords(bounded.toolNames, notification.toolNames.length)],
    ['Headroom', bounded.headroomTokens === null ? null : `${bounded.headroomTokens} tokens`],
    ['First repair', bounded.firstRepair],
    ['Session', bounded.sessionId],
    ['Tenant', bounded.tenantId],
    ['Severity', bounded.severity],
    ['Occurrences', String(bounded.occurrences)],
    ['First seen', bounded.firstSeenAt],
    ['Last seen', bounded.lastSeenAt],
  ];
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]));
}

/** One line that says enough on a lock screen. */
export function alertSummary(notification: AlertNotification, mostBytes: number): string {
  const told = alertFacts(notification).flatMap(({ label, value }) => {
    if (label === 'State') return [value];
    return ['Agent', 'Tools', 'Headroom'].includes(label) ? [`${label.toLowerCase()} ${value}`] : [];
  });
  return plainLine([alertTitle(notification), ...told].join('; '), mostBytes);
}
