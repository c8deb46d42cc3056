import { CLAIM_ANSWERS, EFFECT_STATUSES } from '@holdfast/core';
import { z } from 'zod';
import { agentIdSchema, idSchema, pageOf, pageQuerySchema, sessionNameSchema, timeSchema } from './scalars';
import { effectSchema } from './session';

const shortText = z.string().min(1).max(200);
const toolNameSchema = z.string().min(1).max(500);

/** Longest lease of a claim, in seconds. */
export const MAX_LEASE_SECONDS = 86_400;
/** Most bytes of what an effect answered. */
export const MAX_RESULT_BYTES = 1_048_576;

export const claimEffectRequestSchema = z
  .strictObject({
    agent: agentIdSchema,
    session: sessionNameSchema,
    tool: toolNameSchema,
    arguments: z.unknown().meta({ description: 'The arguments of the call, as they will be sent.' }),
    attempt_id: shortText.meta({
      description:
        'Your own id of this try. The same id again is the same claim, for an answer that got lost; a process that starts anew takes a new one.',
    }),
    lease_seconds: z
      .int()
      .min(1)
      .max(MAX_LEASE_SECONDS)
      .default(60)
      .meta({ description: 'How long the try may take. A lease that runs out leaves the effect `unknown`.' }),
    repeat_label: shortText
      .exactOptional()
      .meta({ description: 'Names a wanted repeat: claims with another label do not exclude each other.' }),
    idempotency_key: shortText
      .exactOptional()
      .meta({ description: 'A key of your own, for a tool whose contract declares none.' }),
    target: shortText.exactOptional().meta({ description: 'What the call acts on, where the contract does not say.' }),
  })
  .meta({ id: 'ClaimEffectRequest' });

export const ledgerEffectSchema = effectSchema
  .extend({
    id: idSchema,
    agent: agentIdSchema,
    session: sessionNameSchema,
    repeat_label: z.string().nullable(),
    attempt_id: z.string().nullable().meta({ description: 'The attempt that was told to proceed.' }),
    has_result: z.boolean().meta({ description: 'Whether GET .../result answers what it returned.' }),
  })
  .meta({ id: 'LedgerEffect' });
export type LedgerEffectResponse = z.infer<typeof ledgerEffectSchema>;
export const ledgerEffectPageSchema = pageOf(ledgerEffectSchema).meta({ id: 'LedgerEffectPage' });
export const ledgerEffectQuerySchema = pageQuerySchema.extend({
  agent: agentIdSchema.optional(),
  session: sessionNameSchema.optional(),
  status: z.enum(EFFECT_STATUSES).optional(),
  tool: toolNameSchema.optional(),
  key: z.string().min(1).max(500).optional(),
});

export const claimedEffectSchema = z
  .strictObject({
    answer: z.enum(CLAIM_ANSWERS).meta({
      description:
        '`proceed`: fire it, then settle. `duplicate`: it was done, `result` is its answer. `in_flight`: another attempt holds it. `reconcile`: look at the target first. `conflict`: the key stands for other parameters.',
    }),
    reason: z.string(),
    gated: z.boolean().meta({ description: 'False for what is recorded and never blocked.' }),
    lease_until: timeSchema.nullable(),
    effect: ledgerEffectSchema.nullable().meta({ description: 'Null for a call that only reads.' }),
    result: z.unknown().optional().meta({ description: 'What the earlier one answered, where it was recorded.' }),
  })
  .meta({ id: 'ClaimedEffect' });
export type ClaimedEffectResponse = z.infer<typeof claimedEffectSchema>;

const SETTLED = ['fired', 'succeeded', 'failed', 'declined', 'unknown'] as const;
const RECONCILED = ['succeeded', 'failed', 'declined'] as const;

const saidSchema = {
  status_raw: shortText.exactOptional().meta({ description: 'Your own word for the status, kept verbatim.' }),
  result: z
    .unknown()
    .optional()
    .meta({ description: 'What the call answered; it is what a duplicate gets back. At most 1 MiB.' }),
};

export const settleEffectRequestSchema = z
  .strictObject({
    attempt_id: shortText,
    status: z
      .enum(SETTLED)
      .meta({ description: '`failed` only where nothing was applied; say `unknown` where that is not certain.' }),
    evidence: z.string().min(1).max(2_000).exactOptional(),
    ...saidSchema,
  })
  .meta({ id: 'SettleEffectRequest' });

export const reconcileEffectRequestSchema = z
  .strictObject({
    status: z.enum(RECONCILED).meta({ description: '`failed`: the target shows that nothing was applied.' }),
    evidence: z.string().min(1).max(2_000).meta({ description: 'What the target showed.' }),
    ...saidSchema,
  })
  .meta({ id: 'ReconcileEffectRequest' });

export const settledEffectSchema = z
  .strictObject({
    effect: ledgerEffectSchema,
    late: z.boolean().meta({ description: 'It came after the lease had run out, or after somebody had decided.' }),
    applied: z
      .boolean()
      .meta({ description: 'False where somebody had decided otherwise: kept as evidence, and an incident.' }),
  })
  .meta({ id: 'SettledEffect' });
export type SettledEffectResponse = z.infer<typeof settledEffectSchema>;

export const effectAttemptSchema = z
  .strictObject({
    id: idSchema,
    at: timeSchema,
    source: z.enum(['observed', 'claimed', 'settled', 'expired', 'reconciled']),
    attempt_id: z.string().nullable(),
    answer: z.enum(CLAIM_ANSWERS).nullable(),
    reason: z.string().nullable(),
    status: z.enum(EFFECT_STATUSES),
    status_raw: z.string().nullable(),
    evidence: z.string().nullable(),
    late: z.boolean(),
    compaction_id: idSchema.nullable(),
  })
  .meta({ id: 'EffectAttempt' });
export type EffectAttemptResponse = z.infer<typeof effectAttemptSchema>;
export const effectAttemptPageSchema = pageOf(effectAttemptSchema).meta({ id: 'EffectAttemptPage' });
