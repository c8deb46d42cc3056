import { REFUSAL_CODES } from '@holdfast/core';
import { z } from 'zod';
import { toolContractSchema } from './tool-contract';

/** A change that was tried on the plan and makes it fit. */
export const repairSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('raise_budget'), budget_tokens: z.int(), message: z.string() }),
  z.strictObject({ kind: z.literal('lower_target'), reclaim_target_tokens: z.int(), message: z.string() }),
  z.strictObject({
    kind: z.literal('declare_tool'),
    tool: z.string(),
    contract: toolContractSchema,
    message: z.string(),
  }),
  z.strictObject({ kind: z.literal('enable_recall'), message: z.string() }),
  z.strictObject({
    kind: z.literal('mark_element'),
    element_id: z.string(),
    set: z.record(z.string(), z.union([z.boolean(), z.string()])),
    message: z.string(),
  }),
  z.strictObject({
    kind: z.literal('attach_effect'),
    element_id: z.string(),
    action: z.string().nullable().meta({ description: 'Null for what only its owner knows.' }),
    target: z.string().nullable(),
    idempotency_key: z.string().exactOptional(),
    message: z.string(),
  }),
]);

/** A typed no: the window that was sent stays valid. */
export const refusalSchema = z
  .strictObject({
    code: z.enum(REFUSAL_CODES),
    message: z.string(),
    elements: z.array(z.strictObject({ element_id: z.string(), path: z.string(), evidence: z.string() })),
    floor_tokens: z.int().nullable(),
    shortfall_tokens: z.int().nullable(),
    headroom_tokens: z.int().nullable(),
    repairs: z.array(repairSchema),
  })
  .meta({ id: 'Refusal' });
export type RefusalResponse = z.infer<typeof refusalSchema>;

export const noticeSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  element_id: z.string().nullable(),
});
