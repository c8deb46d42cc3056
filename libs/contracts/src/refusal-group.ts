import { REFUSAL_CODES } from '@holdfast/core';
import { z } from 'zod';
import { refusalSchema, repairSchema } from './refusal';
import { agentIdSchema, idSchema, pageOf, pageQuerySchema, timeSchema } from './scalars';

export const REFUSAL_STATUSES = ['open', 'acknowledged', 'resolved', 'dismissed'] as const;
const SEVERITIES = ['page', 'ticket'] as const;

/** Whoever works on something. */
export const assigneeSchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
  .meta({ description: 'Whoever works on it, by any name: 1 to 200 characters.' });
/** What somebody writes: any text of at most 10,000 characters. */
export const commentSchema = z.string().min(1).max(10_000);

const groupFacts = {
  id: idSchema,
  agent: agentIdSchema,
  code: z.enum(REFUSAL_CODES),
  cause: z.string().meta({ description: 'Why, in words that name rules and tools and no content.' }),
  tools: z.array(z.string()),
  status: z.enum(REFUSAL_STATUSES),
  severity: z.enum(SEVERITIES).meta({ description: '`page`: the agent is stuck, or a proof failed.' }),
  assignee: z.string().nullable(),
  count: z.int().min(1).meta({ description: 'Refused passes of this cause.' }),
  sessions: z.int().min(1).meta({ description: 'Sessions in which it was seen.' }),
  headroom_tokens: z.int().nullable().meta({ description: 'What the newest refused window left of its budget.' }),
  repairs: z.array(repairSchema).meta({ description: 'Repairs of the newest refusal.' }),
  first_seen_at: timeSchema,
  last_seen_at: timeSchema,
  acknowledged_at: timeSchema.nullable(),
  resolved_at: timeSchema.nullable(),
  resolution: z.string().nullable().meta({ description: 'Resolution that is being tried, or that closed it.' }),
  retries_open: z.int().min(0).meta({ description: 'Retried passes without an outcome yet.' }),
};

/** Refusals of one agent, code and cause: what somebody works on. */
export const refusalGroupSchema = z.strictObject(groupFacts).meta({ id: 'RefusalGroup' });
export type RefusalGroupResponse = z.infer<typeof refusalGroupSchema>;

/** Counts of one facet, by value. */
export const facetSchema = z.array(z.strictObject({ value: z.string(), count: z.int().min(0) }));

export const refusalListSchema = pageOf(refusalGroupSchema)
  .extend({
    facets: z
      .strictObject({
        status: facetSchema,
        severity: facetSchema,
        code: facetSchema,
        agent: facetSchema,
        assignee: facetSchema,
      })
      .meta({ description: 'How many refusals each value has under the other filters, most first, at most 20.' }),
  })
  .meta({ id: 'RefusalList' });
export type RefusalListResponse = z.infer<typeof refusalListSchema>;

export const refusalQuerySchema = pageQuerySchema.extend({
  status: z.enum(REFUSAL_STATUSES).optional(),
  severity: z.enum(SEVERITIES).optional(),
  code: z.enum(REFUSAL_CODES).optional(),
  agent: agentIdSchema.optional(),
  assignee: assigneeSchema.optional(),
});

export const refusalMemberSchema = z
  .strictObject({
    id: idSchema,
    compaction_id: idSchema,
    session_id: idSchema,
    session: z.string(),
    status: z.enum(REFUSAL_STATUSES),
    refusal: refusalSchema,
    created_at: timeSchema,
    resolved_at: timeSchema.nullable(),
  })
  .meta({ id: 'RefusalMember' });
export type RefusalMemberResponse = z.infer<typeof refusalMemberSchema>;
export const refusalMemberPageSchema = pageOf(refusalMemberSchema).meta({ id: 'RefusalMemberPage' });

export const refusalStepSchema = z
  .strictObject({
    id: z.string(),
    kind: z.string().meta({
      description:
        '`acknowledged`, `assigned`, `commented`, `dismissed`, `resolution` (a repair was made, and passes are retried), `retry_failed`, `refused_again`, `session_resolved`, `still_open`, `resolved`.',
    }),
    actor: z.string(),
    comment: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
    at: timeSchema,
  })
  .meta({ id: 'RefusalStep' });
export type RefusalStepResponse = z.infer<typeof refusalStepSchema>;
export const refusalStepPageSchema = pageOf(refusalStepSchema).meta({ id: 'RefusalStepPage' });

export const refusalDetailSchema = z
  .strictObject({
    ...groupFacts,
    newest: refusalMemberSchema.nullable(),
    members: refusalMemberPageSchema,
    steps: refusalStepPageSchema,
  })
  .meta({ id: 'RefusalDetail' });
export type RefusalDetailResponse = z.infer<typeof refusalDetailSchema>;

export const acknowledgeRequestSchema = z
  .strictObject({ comment: commentSchema.optional() })
  .meta({ id: 'AcknowledgeRequest' });
export const assignRequestSchema = z
  .strictObject({ assignee: assigneeSchema.nullable() })
  .meta({ id: 'AssignRequest' });
export const commentRequestSchema = z.strictObject({ comment: commentSchema }).meta({ id: 'CommentRequest' });
export const dismissRequestSchema = z.strictObject({ reason: commentSchema }).meta({ id: 'DismissRequest' });
