/** Everything that a notification may be about. Receivers ignore types they do not know. */
export const ALERT_TYPES = [
  'compaction.refused',
  'compaction.refusal_resolved',
  'compaction.failed',
  'compaction.held',
  'session.headroom_low',
  'drift.detected',
  'drift.regressed',
  'drift.escalated',
  'effect.duplicate_blocked',
  'effect.outcome_unknown',
  'effect.outcome_disputed',
  'effect.conflict',
  'agent.silent',
  'platform.degraded',
  'refusal.unattended',
  'rule.threshold_crossed',
  'channel.disabled',
  'channel.test',
  'heartbeat',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** Who is woken: `page` somebody now, `ticket` somebody in working hours, `count` nobody. */
export const ALERT_SEVERITIES = ['page', 'ticket', 'count'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

export const ALERT_ACTIONS = ['trigger', 'acknowledge', 'resolve'] as const;
export type AlertAction = (typeof ALERT_ACTIONS)[number];

/**
 * What every channel is told. It holds names, counts and Holdfast's own words; content of a window has no field here.
 * Times are ISO 8601 in UTC.
 */
export interface AlertNotification {
  /** The same over every retry and replay: receivers deduplicate by it. Letters, digits, `_` and `-`, at most 128. */
  readonly notificationId: string;
  /** One per alert from its first trigger to its resolve: acknowledge and resolve find their trigger by it. */
  readonly instanceId: string;
  readonly action: AlertAction;
  readonly type: AlertType;
  readonly severity: AlertSeverity;
  /** When that which is told became so: fired, acknowledged or resolved. */
  readonly occurredAt: string;
  readonly tenantId: string;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  /** A code of the closed tables, `AMBIGUOUS_ELEMENT` or `identifier_mutated`. */
  readonly code: string | null;
  readonly toolNames: readonly string[];
  /** Whether the agent cannot go on until somebody acts; null where nobody knows. */
  readonly agentStuck: boolean | null;
  readonly headroomTokens: number | null;
  /** The first repair, in words. */
  readonly firstRepair: string | null;
  readonly occurrences: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly dashboardUrl: string | null;
  readonly runbookUrl: string | null;
}
