import { EFFECT_STATUSES } from '@holdfast/core';
import { z } from 'zod';
import { planSchema } from './plan';
import { commentSchema, refusalGroupSchema } from './refusal-group';
import { idSchema, sessionNameSchema, tokenCountSchema, tokenLimitSchema } from './scalars';
import { toolContractSchema } from './tool-contract';

/** Longest name of an element, an action, a target or a key. */
const MOST_NAME_CHARACTERS = 2_000;
const name = z.string().min(1).max(MOST_NAME_CHARACTERS);
const reason = commentSchema.meta({ description: 'Why; it stays in the history, and with the element.' });
const session = sessionNameSchema;

const markedFlags = z
  .strictObject({
    regenerable: z.boolean().exactOptional(),
    idempotent: z.boolean().exactOptional(),
    task_critical: z.boolean().exactOptional(),
  })
  .refine((flags) => Object.keys(flags).length > 0, { error: 'says nothing' });

/** A change that is meant to let refused passes pass; they are retried with it. */
export const resolutionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('declare_tool'), tool: z.string().min(1).max(200), contract: toolContractSchema }),
    z
      .strictObject({
        kind: z.literal('mark_element'),
        session,
        element_id: name,
        set: markedFlags,
        source: name
          .exactOptional()
          .meta({ description: 'Where it can be had again; required for what is regenerable.' }),
        reason,
      })
      .refine(({ set, source }) => set.regenerable !== true || source !== undefined, {
        path: ['source'],
        error: 'is required for an element that is marked as regenerable',
      }),
    z.strictObject({ kind: z.literal('externalize_element'), session, element_id: name, reason }),
    z.strictObject({
      kind: z.literal('attach_effect'),
      session,
      element_id: name,
      action: name,
      target: name,
      idempotency_key: name.exactOptional(),
      status: z.enum(EFFECT_STATUSES),
      reason,
    }),
    z
      .strictObject({
        kind: z.literal('raise_budget'),
        scope: z.enum(['pass', 'session', 'agent']),
        session: session.exactOptional(),
        budget_tokens: tokenLimitSchema,
      })
      .refine(({ scope, ...rest }) => scope !== 'session' || rest.session !== undefined, {
        path: ['session'],
        error: 'is required for the budget of a session',
      }),
    z.strictObject({ kind: z.literal('release_record'), session, ref: z.string().regex(/^R[1-9]\d{0,14}$/u), reason }),
    z.strictObject({ kind: z.literal('adopt_best_proven'), compaction: idSchema }),
    z.strictObject({ kind: z.literal('enable_recall') }),
    z.strictObject({
      kind: z.literal('lower_target'),
      session: session.exactOptional(),
      reclaim_target_tokens: tokenCountSchema
        .exactOptional()
        .meta({ description: 'Left out, each session asks for the most that its refusal says can be proven.' }),
    }),
    z.strictObject({ kind: z.literal('retry'), session: session.exactOptional(), reason }),
  ])
  .meta({ id: 'Resolution' });
export type ResolutionRequest = z.output<typeof resolutionSchema>;

export const previewSchema = z
  .strictObject({
    would_pass: z.boolean(),
    session: z.string().meta({ description: 'The session that was planned for.' }),
    sessions: z.int().min(0).meta({ description: 'Sessions whose passes would be retried.' }),
    plan: planSchema
      .nullable()
      .meta({ description: 'Null where the newest window or the best proven one is taken as it is.' }),
  })
  .meta({ id: 'ResolutionPreview', description: 'What a resolution leads to; nothing was changed.' });
export type PreviewResponse = z.infer<typeof previewSchema>;

export const resolvingSchema = z
  .strictObject({
    refusal: refusalGroupSchema,
    retried: z.array(idSchema).meta({ description: 'New passes on the newest windows.' }),
    remaining: z.int().min(0).meta({ description: 'Sessions whose passes are made in the background.' }),
  })
  .meta({ id: 'Resolving' });
export type ResolvingResponse = z.infer<typeof resolvingSchema>;
