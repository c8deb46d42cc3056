import {
  EFFECT_KINDS,
  EFFECT_STATUSES,
  ELEMENT_CLASSES,
  FORMAT_NAMES,
  MODES,
  OPERATIONS,
  RECALL_SETTINGS,
  RECORD_KINDS,
} from '@holdfast/core';
import { z } from 'zod';
import { decisionSchema, recallToolSchema } from './compaction';
import { noticeSchema, refusalSchema } from './refusal';
import { agentIdSchema, countsOf, sessionNameSchema } from './scalars';

/** What a compaction of this window would do; nothing was stored. Tokens after are upper bounds. */
export const planSchema = z
  .strictObject({
    agent: agentIdSchema,
    session: sessionNameSchema,
    format: z.enum(FORMAT_NAMES),
    mode: z.enum(MODES),
    recall: z.enum(RECALL_SETTINGS),
    policy_version: z.int(),
    counter: z.strictObject({ name: z.string(), exact: z.boolean() }),
    changes: z.boolean().meta({ description: 'False: the window would stay as it is.' }),
    tokens: z.strictObject({
      before: z.int(),
      after: z.int(),
      system: z.int(),
      floor: z.int(),
      aim: z.int(),
      budget: z.int(),
    }),
    counts: z.strictObject({ classes: countsOf(ELEMENT_CLASSES), operations: countsOf(OPERATIONS) }),
    decisions: z.array(decisionSchema),
    records: z.array(
      z.strictObject({ element_id: z.string(), kind: z.enum(RECORD_KINDS), label: z.string(), trust: z.string() }),
    ),
    effects: z.array(
      z.strictObject({
        occurrence: z.string(),
        action: z.string(),
        target: z.string(),
        kind: z.enum(EFFECT_KINDS),
        status: z.enum(EFFECT_STATUSES),
        evidence: z.string(),
      }),
    ),
    notices: z.array(noticeSchema),
    refusal: refusalSchema.nullable(),
    recall_tool: recallToolSchema.nullable(),
  })
  .meta({ id: 'Plan' });
export type PlanResponse = z.infer<typeof planSchema>;
