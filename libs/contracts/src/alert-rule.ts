import { z } from 'zod';
import {
  ALERT_EVENT_TYPES,
  ALERT_METRICS,
  ALERT_SEVERITIES,
  channelIdsSchema,
  labelMatcherSchema,
  labelNameSchema,
  settingNameSchema,
} from './alert-terms';
import { idSchema, pageOf, timeSchema } from './scalars';

const DAY_MS = 86_400_000;
const durationSchema = z
  .int()
  .min(0)
  .max(30 * DAY_MS);
const windowSchema = z
  .int()
  .min(60_000)
  .max(30 * DAY_MS);
const opSchema = z.enum(['>', '>=', '<', '<=']);
const limitSchema = z.number().min(-1_000_000_000).max(1_000_000_000);

const conditionSchema = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('event'),
        event_types: z.array(z.enum(ALERT_EVENT_TYPES)).min(1).max(ALERT_EVENT_TYPES.length),
        matchers: z.array(labelMatcherSchema).max(20).default([]),
      })
      .meta({ description: 'Something happened.' }),
    z
      .strictObject({
        kind: z.literal('threshold'),
        metric: z.enum(ALERT_METRICS),
        window_ms: windowSchema,
        op: opSchema,
        value: limitSchema,
        without_observations: z.enum(['clear', 'fire', 'keep']).default('clear'),
      })
      .meta({ description: 'A number over a window of time is beyond a limit.' }),
    z
      .strictObject({
        kind: z.literal('ratio'),
        numerator: z.enum(ALERT_METRICS),
        denominator: z.enum(ALERT_METRICS),
        window_ms: windowSchema,
        op: opSchema,
        value: limitSchema,
        fewest_in_denominator: z.int().min(1).max(1_000_000_000).default(20),
      })
      .meta({ description: 'A share is beyond a limit, and there is enough to speak of a share.' }),
    z
      .strictObject({ kind: z.literal('absence'), silent_for_ms: windowSchema })
      .meta({ description: 'An agent that used to send windows sends none.' }),
    z
      .strictObject({
        kind: z.literal('age'),
        subject: z.literal('refusal_group').default('refusal_group'),
        older_than_ms: windowSchema,
      })
      .meta({ description: 'The oldest open refusal is too old.' }),
  ])
  .meta({ id: 'AlertCondition' });

const notifySchema = z
  .strictObject({
    channel_ids: channelIdsSchema.nullable().default(null).meta({ description: 'Null: every channel that is active.' }),
    policy: z
      .strictObject({
        group_wait_ms: durationSchema,
        group_interval_ms: durationSchema.min(1_000),
        repeat_interval_ms: durationSchema.min(60_000).nullable(),
      })
      .nullable()
      .default(null)
      .meta({ description: 'Null: what its severity says.' }),
    escalation: z
      .array(z.strictObject({ after_ms: durationSchema, channel_ids: channelIdsSchema.min(1) }))
      .max(10)
      .default([])
      .meta({ description: 'Whom to tell when nobody has acknowledged for a while.' }),
  })
  .meta({ id: 'AlertNotify' });

const ruleSettings = {
  name: settingNameSchema,
  severity: z.enum(ALERT_SEVERITIES),
  enabled: z.boolean().default(true),
  condition: conditionSchema,
  group_by: z
    .array(labelNameSchema)
    .max(8)
    .default(['agent'])
    .meta({ description: 'Labels that tell its alerts apart: one alert for each combination.' }),
  for_ms: durationSchema.default(0).meta({ description: 'How long the condition holds before it fires.' }),
  keep_firing_for_ms: durationSchema.nullable().default(null).meta({
    description: 'How long it must have cleared before the alert is over; null: only somebody ends it.',
  }),
  notify: notifySchema.default({ channel_ids: null, policy: null, escalation: [] }),
};

export const ruleRequestSchema = z.strictObject(ruleSettings).meta({ id: 'AlertRuleRequest' });
export type RuleRequest = z.output<typeof ruleRequestSchema>;

export const ruleSchema = z
  .strictObject({
    id: idSchema,
    ...ruleSettings,
    standard: z.boolean().meta({ description: 'Every tenant has it; it can be changed and disabled, not deleted.' }),
    created_at: timeSchema,
  })
  .meta({ id: 'AlertRule' });
export type RuleResponse = z.output<typeof ruleSchema>;
export const rulePageSchema = pageOf(ruleSchema).meta({ id: 'AlertRulePage' });

export const rulePreviewRequestSchema = z
  .strictObject({
    rule: ruleRequestSchema.omit({ name: true, enabled: true, notify: true }),
    days: z.int().min(1).max(30).default(7),
  })
  .meta({ id: 'RulePreviewRequest' });
export type RulePreviewRequest = z.output<typeof rulePreviewRequestSchema>;

const countsSchema = {
  alerts: z.int().min(0).meta({ description: 'How often an alert would have begun.' }),
  occurrences: z.int().min(0).meta({ description: 'How often the condition was met.' }),
};

export const rulePreviewSchema = z
  .strictObject({
    from: timeSchema,
    to: timeSchema,
    ...countsSchema,
    days: z.array(z.strictObject({ day: z.iso.date(), ...countsSchema })),
    groups: z
      .array(z.strictObject({ labels: z.record(z.string(), z.string()), ...countsSchema }))
      .meta({ description: 'By the labels that it groups by, most alerts first, at most 20.' }),
    is_whole: z.boolean().meta({ description: 'False when there is more than a preview looks at.' }),
  })
  .meta({ id: 'RulePreview' });
export type RulePreviewResponse = z.infer<typeof rulePreviewSchema>;
