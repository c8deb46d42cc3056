import { DRIFT_KINDS, FORMAT_NAMES, TRANSCRIPT_KINDS } from '@holdfast/core';
import { z } from 'zod';
import { agentIdSchema, sessionNameSchema } from './scalars';

/** Largest body of an audit, in bytes: it is answered while the caller waits. */
export const MAX_AUDIT_BYTES = 16_777_216;

export const auditQuerySchema = z.strictObject({
  agent: agentIdSchema
    .optional()
    .meta({ description: 'Agent whose tool contracts say which calls write; without it no tool is known to.' }),
  record: z.enum(['true']).optional().meta({
    description:
      '`true`: the findings become drift incidents of `session` of `agent`; needs `drift:triage`. Each request records its own.',
  }),
  session: sessionNameSchema.optional().meta({ description: 'The session that was audited, where it is recorded.' }),
});

const format = z.enum(FORMAT_NAMES).exactOptional();

/** Everything of an audit but windows and transcript, which are read losslessly and never through a schema. */
export const auditFieldsSchema = z.strictObject({
  format: format.meta({ description: 'Format of `before`; detected where it is left out.' }),
  after_format: format.meta({ description: 'Format of `after` and `later`; detected where it is left out.' }),
  transcript_kind: z
    .enum(TRANSCRIPT_KINDS)
    .exactOptional()
    .meta({ description: 'What the transcript is; detected where it is left out.' }),
});
export type AuditFields = z.infer<typeof auditFieldsSchema>;

const windowSchema = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** The whole request, for documentation: two windows, or a transcript. */
export const auditRequestSchema = z
  .strictObject({
    ...auditFieldsSchema.shape,
    before: windowSchema.exactOptional().meta({ description: 'The window before a compaction, in any format.' }),
    after: windowSchema.exactOptional().meta({ description: 'The window after it, in any format.' }),
    later: windowSchema
      .exactOptional()
      .meta({ description: 'The window after as it grew: shows which values and actions were needed again.' }),
    transcript: z
      .string()
      .exactOptional()
      .meta({ description: 'The text of a session that records its own compactions, in place of the windows.' }),
  })
  .meta({ id: 'AuditRequest' });

const auditFindingSchema = z
  .strictObject({
    kind: z.enum(DRIFT_KINDS),
    severity: z.enum(['error', 'warning']),
    expected: z.string().nullable(),
    observed: z.string().nullable(),
    source: z.strictObject({ element_id: z.string(), path: z.string() }).nullable(),
    place: z.strictObject({ path: z.string(), start: z.int(), end: z.int() }).nullable(),
    message: z.string(),
    advice: z.string(),
    count: z.int().min(1),
  })
  .meta({ id: 'AuditFinding', description: 'One thing that a compaction lost or changed; secrets are masked.' });

/** What a compaction, or each one that a transcript records, lost or changed. Nothing is stored unless it is asked for. */
export const auditReportSchema = z
  .strictObject({
    version: z.literal(1),
    boundaries: z.array(
      z.strictObject({
        at: z.string().meta({ description: '`windows`, or the place in the transcript: `line 303`, `event 17`.' }),
        format: z.strictObject({ before: z.enum(FORMAT_NAMES), after: z.enum(FORMAT_NAMES) }),
        elements: z.strictObject({
          before: z.int(),
          after: z.int(),
          kept: z.int(),
          left: z.int(),
          added: z.int(),
        }),
        characters: z.strictObject({ before: z.int(), after: z.int() }),
        assumed_packs: z
          .array(z.string())
          .meta({ description: 'Contract packs that the tools look like, taken for tools that no contract declares.' }),
        repeated_reads: z.int().nullable(),
        findings: z.array(auditFindingSchema).meta({ description: 'Worst first.' }),
      }),
    ),
    totals: z.strictObject({
      boundaries: z.int(),
      errors: z.int(),
      warnings: z.int(),
      kinds: z.partialRecord(z.enum(DRIFT_KINDS), z.int()),
    }),
    recorded: z.int().min(0).exactOptional().meta({ description: 'Drift incidents that were recorded, where asked.' }),
  })
  .meta({ id: 'AuditReport' });
