import { z } from 'zod';
import { ALERT_SEVERITIES, ALERT_STATES, labelMatcherSchema } from './alert-terms';
import { commentSchema } from './refusal-group';
import { agentIdSchema, idSchema, pageOf, pageQuerySchema, timeSchema } from './scalars';

/** One alert: what a rule found, from the first time to the last. */
export const alertSchema = z
  .strictObject({
    id: idSchema,
    rule: z.strictObject({ id: idSchema, name: z.string(), kind: z.string() }),
    labels: z.record(z.string(), z.string()),
    severity: z.enum(ALERT_SEVERITIES),
    state: z.enum(ALERT_STATES),
    count: z.int().min(1),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What was seen last: codes, names, counts and ids; no content.' }),
    first_at: timeSchema,
    last_at: timeSchema,
    fired_at: timeSchema.nullable(),
    acknowledged_at: timeSchema.nullable(),
    acknowledged_by: z.string().nullable().meta({ description: 'Id of an API key.' }),
    resolved_at: timeSchema.nullable(),
    silenced_by: idSchema.nullable().meta({ description: 'The silence that holds it back.' }),
  })
  .meta({ id: 'Alert' });
export type AlertResponse = z.infer<typeof alertSchema>;
export const alertPageSchema = pageOf(alertSchema).meta({ id: 'AlertPage' });

export const alertQuerySchema = pageQuerySchema.extend({
  state: z.enum(ALERT_STATES).optional(),
  severity: z.enum(ALERT_SEVERITIES).optional(),
  agent: agentIdSchema.optional(),
  rule: idSchema.optional(),
});

export const alertActRequestSchema = z
  .strictObject({ comment: commentSchema.optional().meta({ description: 'Stands in the audit log.' }) })
  .meta({ id: 'AlertActRequest' });

export const createSilenceRequestSchema = z
  .strictObject({
    matchers: z.array(labelMatcherSchema).min(1).max(20),
    starts_at: timeSchema.optional().meta({ description: 'ISO 8601; left out: now.' }),
    ends_at: timeSchema.meta({ description: 'ISO 8601; within 30 days, later for a key that manages keys.' }),
    comment: z.string().min(1).max(10_000),
    author: z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
      .optional()
      .meta({ description: 'Whoever asks for it, by any name; left out: the id of the API key.' }),
  })
  .meta({ id: 'CreateSilenceRequest' });

export const silenceSchema = z
  .strictObject({
    id: idSchema,
    matchers: z.array(labelMatcherSchema),
    starts_at: timeSchema,
    ends_at: timeSchema,
    comment: z.string(),
    author: z.string(),
    state: z.enum(['waiting', 'active', 'ended']),
    created_at: timeSchema,
  })
  .meta({ id: 'Silence' });
export type SilenceResponse = z.infer<typeof silenceSchema>;
export const silencePageSchema = pageOf(silenceSchema).meta({ id: 'SilencePage' });
export const silenceQuerySchema = pageQuerySchema.extend({
  ended: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: those that are over; `false`: the others; left out: all.' }),
});
