import { z } from 'zod';
import { idSchema } from './scalars';

/** Kinds of channels. */
export const CHANNEL_KINDS = ['webhook', 'slack', 'pagerduty', 'alertmanager', 'email'] as const;
/** Who is woken. */
export const ALERT_SEVERITIES = ['page', 'ticket', 'count'] as const;
export const ALERT_STATES = ['pending', 'firing', 'acknowledged', 'resolved'] as const;
/** What rules of events may be about. */
export const ALERT_EVENT_TYPES = [
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
  'channel.disabled',
] as const;
/** What rules may count over a window of time. */
export const ALERT_METRICS = [
  'passes',
  'passes_refused',
  'passes_failed',
  'drift_incidents',
  'duplicates_blocked',
  'tool_rejections',
] as const;
export const DELIVERY_STATES = ['pending', 'delivered', 'failed_permanently', 'abandoned', 'suppressed'] as const;
export const DELIVERY_ACTIONS = ['trigger', 'acknowledge', 'resolve', 'test'] as const;
export const ATTEMPT_OUTCOMES = ['delivered', 'retry', 'permanent', 'gone'] as const;

/** What people call a channel or a rule. */
export const settingNameSchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
  .meta({ description: 'A name: 1 to 200 characters, no control characters.' });

export const labelNameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,63}$/u);

/** One condition on a label; an absent label is the empty text. */
export const labelMatcherSchema = z
  .strictObject({
    label: labelNameSchema.meta({
      description: '`type`, `agent`, `code`, `cause`, `tool`, `session`, `channel`, `keyed`, `severity`.',
    }),
    op: z.enum(['=', '!=', '=~', '!~']),
    value: z
      .string()
      .max(1_000)
      .meta({ description: 'With `=~` and `!~` a pattern over the whole label; see docs/ALERTING.md.' }),
  })
  .meta({ id: 'LabelMatcher' });

const MOST_CHANNELS = 50;
export const channelIdsSchema = z.array(idSchema).max(MOST_CHANNELS);
