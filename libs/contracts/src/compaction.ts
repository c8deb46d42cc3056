import { ELEMENT_CLASSES, FORMAT_NAMES, MODES, OPERATIONS, OUTCOMES, VIEWS } from '@holdfast/core';
import { z } from 'zod';
import { driftIncidentSchema } from './drift-incident';
import { noticeSchema, refusalSchema } from './refusal';
import {
  agentIdSchema,
  countsOf,
  handleSchema,
  idSchema,
  sessionNameSchema,
  sha256Schema,
  timeSchema,
} from './scalars';

/** Which window the answer is: what the pass made, or the one that was sent, which is still valid. */
export const WINDOW_ORIGINS = ['compacted', 'as_sent', 'best_proven'] as const;

/** Parts of a pass whose time is kept. */
export const MEASURED_PHASES = ['classify', 'plan', 'secure', 'summarize', 'verify', 'commit'] as const;

export const verdictSchema = z.strictObject({ holds: z.boolean(), by: z.string() });

/** What a pass decided about one element, and why; a receipt has one for each. */
export const decisionSchema = z
  .looseObject({
    element_id: z.string(),
    path: z.string(),
    kind: z.string(),
    role: z.string(),
    class: z.enum(ELEMENT_CLASSES),
    view: z.enum(VIEWS),
    rule: z.string(),
    evidence: z.string(),
    conflict: z.string().exactOptional(),
    operation: z.enum(OPERATIONS),
    tokens_before: z.int(),
    tokens_after: z.int(),
    handle: handleSchema.exactOptional(),
    c1: verdictSchema.exactOptional(),
    c2: verdictSchema.exactOptional(),
    c3: verdictSchema.exactOptional(),
  })
  .meta({ id: 'Decision' });

/** The machine-checkable account of a pass. `hash` covers everything else, keys in order; `previous` chains the session. */
export const receiptSchema = z
  .looseObject({
    version: z.literal(1),
    hash: sha256Schema,
    previous: sha256Schema.nullable(),
    elements: z.array(decisionSchema),
  })
  .meta({ id: 'Receipt' });

const count = z.int().min(0).nullable();

/** The tool that an agent with `recall: tool` must be given, in the words of its provider. */
export const recallToolSchema = z
  .strictObject({
    definition: z.record(z.string(), z.unknown()).meta({ description: 'Put it into the list of tools as it is.' }),
    tokens: z.int().min(0).meta({ description: 'What it adds to every request, by the counter of this compaction.' }),
  })
  .meta({ id: 'RecallTool' });

export const compactionSchema = z
  .strictObject({
    id: idSchema,
    agent: agentIdSchema,
    session: sessionNameSchema,
    seq: z.int().min(1).meta({ description: 'Passes of a session run in this order.' }),
    status: z.enum(['accepted', 'dispatched', 'running', 'finished']),
    phase: z.enum(['accepted', 'secured', 'finished']),
    outcome: z.enum(OUTCOMES).nullable(),
    reason: z.string().nullable().meta({ description: 'Why it is `unchanged`, `failed` or `superseded`.' }),
    error_code: z.string().nullable(),
    mode: z.enum(MODES),
    format: z.enum(FORMAT_NAMES),
    counter: z.string().nullable().meta({ description: 'What tokens are counted with.' }),
    policy_version: z.int(),
    base_version: z.int().nullable(),
    retry_of: idSchema.nullable().meta({ description: 'The refused compaction that this pass retries.' }),
    version: z
      .int()
      .nullable()
      .meta({ description: 'Version of the session after this pass, where it handed a window out.' }),
    budget_tokens: z.int(),
    aim_tokens: z.int().nullable(),
    reclaim_target_tokens: z.int().nullable(),
    target_met: z.boolean().nullable(),
    tokens: z
      .strictObject({ before: count, after: count, system: count, pinned: count, floor: count })
      .meta({ description: '`after` of an agent that observes is what `enforce` would hand out.' }),
    counts: z.strictObject({ classes: countsOf(ELEMENT_CLASSES), operations: countsOf(OPERATIONS) }).nullable(),
    sealed_fields: z.int().nullable(),
    phase_ms: z
      .partialRecord(z.enum(MEASURED_PHASES), z.int().min(0))
      .meta({ description: 'Milliseconds of each phase that ran; waiting is not among them.' }),
    replaced_prefix: z.strictObject({ messages: z.int(), sha256: sha256Schema }).nullable().meta({
      description: 'How much of the window that was sent the answer replaces; splice what came since behind it.',
    }),
    notices: z.array(noticeSchema),
    refusal: refusalSchema.nullable(),
    drift_incidents: z
      .array(driftIncidentSchema)
      .meta({ description: 'What somebody else had changed in a window that was handed out before; it was put back.' }),
    best_proven: z
      .strictObject({ window_id: idSchema, adopted_at: timeSchema.nullable() })
      .nullable()
      .meta({ description: 'The smallest proven window of a refused pass; adopt it with POST .../adopt.' }),
    receipt_hash: sha256Schema.nullable(),
    recall_tool: recallToolSchema.nullable(),
    accepted_at: timeSchema,
    secured_at: timeSchema.nullable(),
    finished_at: timeSchema.nullable(),
    status_url: z.string(),
    links: z.strictObject({
      window: z.string(),
      receipt: z.string(),
      events: z.string(),
      adopt: z.string(),
      session: z.string(),
    }),
    window_origin: z.enum(WINDOW_ORIGINS).exactOptional(),
    window: z.unknown().optional().meta({ description: '`include=window`: the window, as its source bytes.' }),
    receipt: receiptSchema.nullable().exactOptional(),
    decisions: z.array(decisionSchema).nullable().exactOptional(),
  })
  .meta({ id: 'Compaction' });
export type CompactionResponse = z.infer<typeof compactionSchema>;

/** Progress events of a compaction, in the order in which they may come. */
export const PROGRESS_EVENTS = ['accepted', 'claimed', 'secured', 'summarized', 'finished'] as const;
