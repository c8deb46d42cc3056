import { z } from 'zod';
import { idSchema, pageOf, timeSchema } from './scalars';

export const ERASURE_SCOPES = ['session', 'agent', 'subject', 'tenant'] as const;

export const erasureRequestSchema = z
  .strictObject({
    scope: z.enum(ERASURE_SCOPES),
    target: z.string().min(1).max(500).meta({
      description: "Id of the session, name of the agent, subject of sessions, or the tenant's own name, written out.",
    }),
  })
  .meta({ id: 'ErasureRequest' });

const countSchema = z.int().min(0);

export const erasureSchema = z
  .strictObject({
    id: idSchema,
    scope: z.enum(ERASURE_SCOPES),
    target: z.string().meta({ description: 'Empty for a subject: it was to be forgotten.' }),
    actor: z.string(),
    at: timeSchema,
    report: z.strictObject({
      sessions: countSchema,
      originals: countSchema.meta({ description: 'Contents whose bytes were removed; digest and size are kept.' }),
      bytes: countSchema,
      effects: countSchema.meta({ description: 'Lines of the ledger whose words were masked.' }),
      compactions: countSchema,
      data_keys: countSchema.meta({ description: 'Keys that were deleted, and with them what backups hold.' }),
      kept: z
        .strictObject({
          receipts: countSchema,
          refusals: countSchema,
          drift_incidents: countSchema,
          effect_attempts: countSchema,
        })
        .meta({ description: 'Append-only rows that may quote words of windows, with secrets masked.' }),
    }),
  })
  .meta({ id: 'Erasure' });
export type ErasureResponse = z.infer<typeof erasureSchema>;
export const erasurePageSchema = pageOf(erasureSchema).meta({ id: 'ErasurePage' });
