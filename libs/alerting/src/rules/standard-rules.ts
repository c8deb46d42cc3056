import type { AlertRule, EventRule } from './alert-rule';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type StandardEvent = Pick<EventRule, 'name' | 'severity' | 'type'> & Partial<EventRule>;

/** What happened once fires at once, and is over when somebody or a later event says so. */
function onEvent(rule: StandardEvent): EventRule {
  return {
    kind: 'event',
    eventTypes: [rule.type],
    matchers: [],
    groupBy: ['agent', 'code'],
    forMs: 0,
    keepFiringForMs: null,
    ...rule,
  };
}

/**
 * The rules that every tenant starts with. Somebody is woken for three things only: a proof that failed (its refusal says
 * so itself), an agent about to run out of room, a write that may or may not have happened. What waits for working hours is a
 * ticket; what shows the product at work is counted.
 */
export const STANDARD_RULES: readonly AlertRule[] = [
  onEvent({
    name: 'Little headroom is left',
    severity: 'page',
    type: 'session.headroom_low',
    groupBy: ['agent', 'session'],
    keepFiringForMs: 6 * HOUR,
  }),
  onEvent({
    name: 'A keyed write has an unknown outcome',
    severity: 'page',
    type: 'effect.outcome_unknown',
    matchers: [{ label: 'keyed', op: '=', value: 'true' }],
    groupBy: ['agent', 'tool'],
  }),
  onEvent({
    name: 'Compaction refused',
    severity: 'ticket',
    type: 'compaction.refused',
    groupBy: ['agent', 'code', 'cause'],
  }),
  onEvent({ name: 'Compaction failed', severity: 'ticket', type: 'compaction.failed' }),
  onEvent({ name: 'Drift found', severity: 'ticket', type: 'drift.detected' }),
  onEvent({ name: 'Drift is getting worse', severity: 'ticket', type: 'drift.escalated' }),
  onEvent({
    name: 'Two words on how a write ended',
    severity: 'page',
    type: 'effect.outcome_disputed',
    groupBy: ['agent', 'tool'],
  }),
  onEvent({
    name: 'One key for two different writes',
    severity: 'ticket',
    type: 'effect.conflict',
    groupBy: ['agent', 'tool'],
  }),
  onEvent({ name: 'Drift is back', severity: 'ticket', type: 'drift.regressed' }),
  onEvent({
    name: 'An alert channel was disabled',
    severity: 'ticket',
    type: 'channel.disabled',
    groupBy: ['channel'],
  }),
  {
    kind: 'age',
    name: 'A refusal waits for somebody',
    severity: 'ticket',
    type: 'refusal.unattended',
    subject: 'refusal_group',
    olderThanMs: 24 * HOUR,
    groupBy: ['agent', 'code'],
    forMs: 0,
    keepFiringForMs: 0,
  },
  {
    kind: 'ratio',
    name: 'Many passes are refused',
    severity: 'ticket',
    type: 'rule.threshold_crossed',
    numerator: 'passes_refused',
    denominator: 'passes',
    windowMs: HOUR,
    op: '>',
    value: 0.05,
    fewestInDenominator: 20,
    groupBy: [],
    forMs: 10 * MINUTE,
    keepFiringForMs: 30 * MINUTE,
  },
  onEvent({
    name: 'A repeated write was blocked',
    severity: 'count',
    type: 'effect.duplicate_blocked',
    groupBy: ['agent', 'tool'],
    keepFiringForMs: 24 * HOUR,
  }),
  onEvent({
    name: 'Content is held',
    severity: 'count',
    type: 'compaction.held',
    groupBy: ['agent'],
    keepFiringForMs: 24 * HOUR,
  }),
];
