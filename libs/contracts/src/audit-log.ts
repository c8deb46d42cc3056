import { z } from 'zod';
import { pageOf, pageQuerySchema, sha256Schema, timeSchema } from './scalars';

export const auditEntrySchema = z
  .strictObject({
    id: z.string().meta({ description: 'Number of the row; later rows have greater ones.' }),
    actor: z.string().meta({ description: 'Public part of the API key that did it, or `system`.' }),
    action: z.string(),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'Names, codes and ids; no content.' }),
    at: timeSchema,
    hash: sha256Schema.nullable().meta({ description: 'Null for a row from before the chain began.' }),
    prev_hash: sha256Schema.nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryResponse = z.infer<typeof auditEntrySchema>;
export const auditEntryPageSchema = pageOf(auditEntrySchema).meta({ id: 'AuditEntryPage' });

const filters = {
  actor: z.string().min(1).max(200).optional(),
  action: z.string().min(1).max(200).optional(),
  subject: z.string().min(1).max(500).optional(),
  from: timeSchema.optional().meta({ description: 'Entries at or after this time.' }),
  to: timeSchema.optional().meta({ description: 'Entries before this time.' }),
};
export const auditLogQuerySchema = pageQuerySchema.extend(filters);
export const auditExportQuerySchema = z.strictObject(filters);

export const AUDIT_BREAKS = ['hash_mismatch', 'link_broken', 'hash_missing'] as const;

export const auditVerificationSchema = z
  .strictObject({
    ok: z.boolean(),
    rows: z.int().min(0).meta({ description: 'Rows that were looked at, up to the first broken one.' }),
    unchained: z.int().min(0).meta({ description: 'Rows from before the chain began.' }),
    head: z.strictObject({ id: z.string(), hash: sha256Schema }).nullable().meta({
      description: 'The newest row; compare it with an anchor of the log to see that none is missing behind it.',
    }),
    first_broken: z.strictObject({ id: z.string(), at: timeSchema, reason: z.enum(AUDIT_BREAKS) }).nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerificationResponse = z.infer<typeof auditVerificationSchema>;
