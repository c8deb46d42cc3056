import { DRIFT_GROUP_STATES, DRIFT_KINDS } from '@holdfast/core';
import { z } from 'zod';
import { driftIncidentPageSchema, driftIncidentSchema } from './drift-incident';
import { assigneeSchema, commentSchema, facetSchema } from './refusal-group';
import { agentIdSchema, idSchema, pageOf, pageQuerySchema, sha256Schema, timeSchema } from './scalars';

const SEVERITIES = ['error', 'warning'] as const;
const countSchema = z.int().min(0);

const archivedUntilSchema = z
  .discriminatedUnion('until', [
    z.strictObject({ until: z.literal('time'), at: timeSchema }),
    z.strictObject({ until: z.literal('count'), count: countSchema }),
    z.strictObject({ until: z.literal('escalates') }),
  ])
  .meta({ description: 'Until when it is archived: a time, a count of occurrences in all, or until it escalates.' });

const groupFacts = {
  id: idSchema,
  agent: agentIdSchema,
  title: z.string().meta({ description: 'Kind, field and place in words; no content.' }),
  kind: z.enum(DRIFT_KINDS),
  field_kind: z
    .string()
    .meta({ description: 'What drifted: a kind of critical field, `record`, `effect`, `mark` ...' }),
  place: z.string().meta({ description: 'Where such things stand, without indexes, ids and numbers.' }),
  severity: z.enum(SEVERITIES),
  state: z.enum(DRIFT_GROUP_STATES),
  assignee: z.string().nullable(),
  count: countSchema.meta({ description: 'Occurrences.' }),
  sessions: countSchema.meta({ description: 'Sessions in which it occurred.' }),
  first_seen_at: timeSchema,
  last_seen_at: timeSchema,
  resolved_at: timeSchema.nullable(),
  archived_at: timeSchema.nullable(),
  archived_until: archivedUntilSchema.nullable(),
};

/** Drift incidents of one agent, kind, kind of field and place: what somebody works on. */
export const driftGroupSchema = z.strictObject(groupFacts).meta({ id: 'DriftGroup' });
export type DriftGroupResponse = z.infer<typeof driftGroupSchema>;

export const driftGroupListSchema = pageOf(driftGroupSchema)
  .extend({
    facets: z
      .strictObject({
        state: facetSchema,
        agent: facetSchema,
        kind: facetSchema,
        severity: facetSchema,
        assignee: facetSchema,
      })
      .meta({ description: 'How many groups each value has under the other filters, most first.' }),
  })
  .meta({ id: 'DriftGroupList' });
export type DriftGroupListResponse = z.infer<typeof driftGroupListSchema>;

export const driftGroupQuerySchema = pageQuerySchema.extend({
  state: z.enum(DRIFT_GROUP_STATES).optional(),
  agent: agentIdSchema.optional(),
  kind: z.enum(DRIFT_KINDS).optional(),
  severity: z.enum(SEVERITIES).optional(),
  assignee: assigneeSchema.optional(),
  unassigned: z.enum(['true']).optional().meta({ description: '`true`: only those that nobody has.' }),
});

const rangeSchema = z.strictObject({ start: countSchema, end: countSchema });
const sideSchema = z.strictObject({
  text: z.string(),
  base64: z.string().meta({ description: 'The same as UTF-8 bytes.' }),
  differs: rangeSchema.meta({ description: 'Offsets of the bytes between the common beginning and the common end.' }),
});

export const driftGroupDetailSchema = z
  .strictObject({
    ...groupFacts,
    grouping: z
      .strictObject({
        version: z.int().min(1),
        fingerprint: sha256Schema,
        of: z.strictObject({
          agent: agentIdSchema,
          kind: z.enum(DRIFT_KINDS),
          field_kind: z.string(),
          place: z.string(),
        }),
        words: z.string(),
      })
      .meta({ description: 'Why its incidents are grouped here.' }),
    newest: z
      .strictObject({
        incident: driftIncidentSchema,
        expected: sideSchema.nullable(),
        observed: sideSchema.nullable(),
      })
      .nullable(),
    first: driftIncidentSchema
      .nullable()
      .meta({ description: 'Its first incident; `compaction_id` is the pass where it first appeared.' }),
    occurrences: driftIncidentPageSchema,
    seen_in: z
      .array(
        z.strictObject({
          session_id: idSchema,
          session: z.string(),
          count: countSchema,
          last_seen_at: timeSchema,
        }),
      )
      .meta({ description: 'Sessions of the newest 10,000 occurrences, newest first, at most 50.' }),
    steps: z
      .array(
        z.strictObject({
          id: z.string(),
          kind: z.string().meta({
            description:
              '`resolved`, `archived`, `reopened`, `assigned`, `commented`, or the state that it came to by itself: `regressed`, `escalating`, `ongoing`.',
          }),
          actor: z.string(),
          comment: z.string().nullable(),
          detail: z.record(z.string(), z.unknown()),
          at: timeSchema,
        }),
      )
      .meta({ description: 'What was done about it, oldest first; the newest 200.' }),
  })
  .meta({ id: 'DriftGroupDetail' });
export type DriftGroupDetailResponse = z.infer<typeof driftGroupDetailSchema>;

export const driftDownstreamSchema = z
  .strictObject({
    incident_id: idSchema.nullable(),
    values: z.array(z.string()).meta({ description: 'What the window said and its source did not.' }),
    effects: z
      .array(
        z.strictObject({
          effect: z.string().meta({ description: 'E7.' }),
          id: idSchema,
          action: z.string(),
          status: z.string(),
          in: z.enum(['target', 'idempotency_key', 'kept_values']),
          value: z.string(),
        }),
      )
      .meta({ description: 'Effects of the session that came later and carry such a value.' }),
    calls: z
      .array(
        z.strictObject({
          window_id: idSchema,
          tool: z.string(),
          path: z.string().meta({ description: 'JSON pointer into the arguments; empty where they are no JSON.' }),
          value: z.string(),
        }),
      )
      .meta({ description: 'Calls that later windows show, and the window of the incident did not.' }),
    windows: z.strictObject({ searched: countSchema, left_out: countSchema }),
  })
  .meta({ id: 'DriftDownstream' });
export type DriftDownstreamResponse = z.infer<typeof driftDownstreamSchema>;

export const resolveDriftGroupRequestSchema = z
  .strictObject({ comment: commentSchema.optional() })
  .meta({ id: 'ResolveDriftGroupRequest' });
export const archiveDriftGroupRequestSchema = z
  .strictObject({
    until: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('time'), at: z.iso.datetime({ offset: true }) }),
      z.strictObject({ kind: z.literal('occurrences'), count: z.int().min(1).max(1_000_000_000) }),
      z.strictObject({ kind: z.literal('escalates') }),
    ]),
    comment: commentSchema.optional(),
  })
  .meta({ id: 'ArchiveDriftGroupRequest' });
export const commentDriftGroupRequestSchema = z
  .strictObject({ comment: commentSchema })
  .meta({ id: 'CommentDriftGroupRequest' });
