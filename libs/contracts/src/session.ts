import { EFFECT_KINDS, EFFECT_STATUSES, FORMAT_NAMES, RECORD_KINDS } from '@holdfast/core';
import { z } from 'zod';
import {
  agentIdSchema,
  idSchema,
  pageOf,
  pageQuerySchema,
  sessionNameSchema,
  sha256Schema,
  timeSchema,
} from './scalars';

export const sessionSchema = z
  .strictObject({
    id: idSchema,
    agent: agentIdSchema,
    session: sessionNameSchema,
    version: z.int().meta({ description: 'Version of the window; `base_version` of the next compaction.' }),
    accepted_passes: z.int(),
    finished_passes: z.int(),
    handed_out_passes: z.int(),
    accepted_window_id: idSchema.nullable(),
    handed_out_window_id: idSchema.nullable(),
    receipt_hash: sha256Schema.nullable(),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Session' });
export type SessionResponse = z.infer<typeof sessionSchema>;

export const sessionPageSchema = pageOf(sessionSchema).meta({ id: 'SessionPage' });
export const sessionQuerySchema = pageQuerySchema.extend({ agent: agentIdSchema.optional() });

export const recordSchema = z
  .strictObject({
    ref: z.string(),
    element_id: z.string(),
    kind: z.enum(RECORD_KINDS),
    digest: sha256Schema,
    content: z.string(),
    label: z.string(),
    trust: z.enum(['owner', 'human', 'assistant', 'tool']),
    superseded_by: z.string().nullable(),
    created_at: timeSchema,
  })
  .meta({ id: 'Record' });
export type RecordResponse = z.infer<typeof recordSchema>;
export const recordPageSchema = pageOf(recordSchema).meta({ id: 'RecordPage' });

export const effectSchema = z
  .strictObject({
    ref: z.string(),
    occurrence: z.string(),
    action: z.string(),
    target: z.string(),
    kind: z.enum(EFFECT_KINDS),
    idempotency_key: z.string().nullable(),
    key_source: z.enum(['declared', 'derived', 'none']),
    arguments_digest: sha256Schema,
    status: z.enum(EFFECT_STATUSES),
    status_raw: z.string().nullable(),
    evidence: z.string(),
    kept: z.array(z.string()),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Effect' });
export type EffectResponse = z.infer<typeof effectSchema>;
export const effectPageSchema = pageOf(effectSchema).meta({ id: 'EffectPage' });

export const windowSchema = z
  .strictObject({
    id: idSchema,
    kind: z.enum(['accepted', 'handed_out', 'best_proven']),
    version: z.int(),
    format: z.enum(FORMAT_NAMES),
    compaction_id: idSchema.nullable(),
    tokens: z.int().nullable(),
    bytes: z.int(),
    sha256: sha256Schema,
    created_at: timeSchema,
  })
  .meta({ id: 'Window' });
export type WindowResponse = z.infer<typeof windowSchema>;
export const windowPageSchema = pageOf(windowSchema).meta({ id: 'WindowPage' });

export const restoredSchema = z
  .strictObject({ session: sessionSchema, window: windowSchema })
  .meta({ id: 'RestoredWindow' });
