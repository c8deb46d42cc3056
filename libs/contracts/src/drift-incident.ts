import { DRIFT_KINDS } from '@holdfast/core';
import { z } from 'zod';
import { agentIdSchema, idSchema, pageOf, pageQuerySchema, timeSchema } from './scalars';

export const driftIncidentSchema = z
  .strictObject({
    id: idSchema,
    agent: agentIdSchema,
    session_id: idSchema.nullable(),
    compaction_id: idSchema.nullable().meta({ description: 'The pass whose window showed it.' }),
    kind: z.enum(DRIFT_KINDS),
    severity: z
      .enum(['error', 'warning'])
      .meta({ description: '`warning` for content that imitates a block or a mark: it changed nothing.' }),
    expected: z.string().nullable().meta({ description: 'What was handed out; null for what no pass wrote.' }),
    observed: z.string().nullable().meta({ description: 'What stood there; null where it was gone.' }),
    subject: z.string().meta({ description: 'Element, record (`R3`) or effect (`E7`) that it is about.' }),
    path: z.string().meta({ description: 'JSON pointer into the window that came; empty where the thing was gone.' }),
    message: z.string(),
    occurred_at: timeSchema,
  })
  .meta({ id: 'DriftIncident' });
export type DriftIncidentResponse = z.infer<typeof driftIncidentSchema>;
export const driftIncidentPageSchema = pageOf(driftIncidentSchema).meta({ id: 'DriftIncidentPage' });
export const driftIncidentQuerySchema = pageQuerySchema.extend({
  agent: agentIdSchema.optional(),
  compaction: idSchema.optional(),
});
