import { FORMAT_NAMES } from '@holdfast/core';
import { z } from 'zod';
import { agentIdSchema, sessionNameSchema, tokenLimitSchema, versionSchema } from './scalars';

/** Everything of a compaction request but the window, which is read losslessly and never through a schema. */
export const compactionFieldsSchema = z
  .strictObject({
    agent: agentIdSchema,
    session: sessionNameSchema,
    format: z
      .enum(FORMAT_NAMES)
      .exactOptional()
      .meta({ description: 'Detected from the window where it is left out.' }),
    budget_tokens: tokenLimitSchema.meta({ description: 'Hard limit of the compacted window.' }),
    aim_tokens: tokenLimitSchema
      .exactOptional()
      .meta({ description: "Where the pass stops reclaiming; default: the policy's share of the budget." }),
    reclaim_target_tokens: tokenLimitSchema
      .exactOptional()
      .meta({ description: 'Tokens that must be freed; unmet, the pass refuses with TARGET_UNREACHABLE.' }),
    base_version: versionSchema
      .exactOptional()
      .meta({ description: 'Version of the session that the window was built on; stale, the pass is `superseded`.' }),
    subject: z.string().min(1).max(200).exactOptional().meta({
      description:
        'Whom the session is about, in your own words: what an erasure can ask for. Kept until another is given.',
    }),
    model: z.string().min(1).max(200).exactOptional().meta({
      description: "The model that reads the window: decides how tokens are counted. Default: the window's own.",
    }),
  })
  .refine(({ aim_tokens: aim, budget_tokens: budget }) => aim === undefined || aim <= budget, {
    path: ['aim_tokens'],
    error: 'is above budget_tokens',
  });
export type CompactionFields = z.infer<typeof compactionFieldsSchema>;

/** The whole request, for documentation: the window is any JSON of its format. */
export const compactionRequestSchema = z
  .strictObject({
    ...compactionFieldsSchema.shape,
    window: z
      .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .meta({ description: 'A list of messages or elements, or the request object around it. Kept byte for byte.' }),
  })
  .meta({ id: 'CompactionRequest' });
export type CompactionRequest = z.infer<typeof compactionRequestSchema>;

/** Longest time that `Prefer: wait` waits, in seconds. */
export const MAX_WAIT_SECONDS = 60;

/** What `include` of a compaction may name. */
export const COMPACTION_PARTS = ['window', 'receipt', 'decisions'] as const;
export type CompactionPart = (typeof COMPACTION_PARTS)[number];

/** Query of a compaction: `include` is a comma-separated list of parts. */
export const compactionQuerySchema = z.strictObject({
  include: z
    .string()
    .regex(/^(window|receipt|decisions)(,(window|receipt|decisions))*$/u)
    .optional()
    .meta({ description: 'Parts to add, separated by commas: `window`, `receipt`, `decisions`.' }),
});
