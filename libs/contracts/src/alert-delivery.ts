import { z } from 'zod';
import { ATTEMPT_OUTCOMES, CHANNEL_KINDS, DELIVERY_ACTIONS, DELIVERY_STATES } from './alert-terms';
import { idSchema, pageOf, pageQuerySchema, timeSchema } from './scalars';

const deliveryFacts = {
  id: idSchema,
  alert_id: idSchema.nullable().meta({ description: 'Null for a test.' }),
  channel: z.strictObject({ id: idSchema, name: z.string(), kind: z.enum(CHANNEL_KINDS) }),
  action: z.enum(DELIVERY_ACTIONS),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int().min(0),
  next_attempt_at: timeSchema.nullable(),
  created_at: timeSchema,
  finished_at: timeSchema.nullable(),
};

/** One message to one channel. */
export const deliverySchema = z.strictObject(deliveryFacts).meta({ id: 'AlertDelivery' });
export type DeliveryResponse = z.infer<typeof deliverySchema>;
export const deliveryPageSchema = pageOf(deliverySchema).meta({ id: 'AlertDeliveryPage' });

export const deliveryQuerySchema = pageQuerySchema.extend({
  channel: idSchema.optional(),
  alert: idSchema.optional(),
  state: z.enum(DELIVERY_STATES).optional(),
  action: z.enum(DELIVERY_ACTIONS).optional(),
});

/** One try of a delivery. */
export const attemptSchema = z
  .strictObject({
    no: z.int().min(1),
    outcome: z.enum(ATTEMPT_OUTCOMES),
    status_code: z.int().nullable(),
    latency_ms: z.int().min(0),
    error_code: z.string().nullable().meta({ description: 'Stable; see docs/ALERTING.md.' }),
    detail: z.string().nullable(),
    response: z.string().nullable().meta({ description: 'The first 4 KB of the answer, secrets masked.' }),
    at: timeSchema,
  })
  .meta({ id: 'DeliveryAttempt' });
export type AttemptResponse = z.infer<typeof attemptSchema>;

export const deliveryDetailSchema = z
  .strictObject({
    ...deliveryFacts,
    message: z.record(z.string(), z.unknown()).meta({ description: 'As the body of a webhook has it.' }),
    message_id: z.string().meta({ description: 'The same over all attempts and whenever it is sent again.' }),
    tries: z.array(attemptSchema),
  })
  .meta({ id: 'AlertDeliveryDetail' });
export type DeliveryDetailResponse = z.infer<typeof deliveryDetailSchema>;
