import { z } from 'zod';
import { attemptSchema, deliverySchema } from './alert-delivery';
import { CHANNEL_KINDS, settingNameSchema } from './alert-terms';
import { idSchema, pageOf, timeSchema } from './scalars';

const MOST_CHARACTERS = 4_096;
const text = z.string().max(MOST_CHARACTERS);
/** Stored encrypted and never shown again. */
const secret = text.meta({ description: 'Secret: stored encrypted, never answered.', writeOnly: true });
/** Of a PUT: what is left out stays as it is. */
const keptSecret = secret.optional();

const emailFields = {
  kind: z.literal('email'),
  host: text,
  port: z.int().min(1).max(65_535),
  security: z.enum(['starttls', 'tls', 'none']),
  user_name: text.optional(),
  password: keptSecret,
  from: text,
  recipients: z.array(text).min(1).max(50),
};

const configurationSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('webhook'),
    url: secret,
    signing_secret: secret
      .optional()
      .meta({ description: '`whsec_` and 24 to 64 bytes in base64; left out: one is drawn, and answered this once.' }),
  }),
  z.strictObject({ kind: z.literal('slack'), url: secret }),
  z.strictObject({ kind: z.literal('pagerduty'), routing_key: secret, events_url: keptSecret }),
  z.strictObject({
    kind: z.literal('alertmanager'),
    url: secret,
    bearer_token: keptSecret,
    user_name: text.optional(),
    password: keptSecret,
  }),
  z.strictObject(emailFields),
]);

/** As at its creation, but that secrets may be left out. */
const revisedConfigurationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('webhook'), url: keptSecret, signing_secret: keptSecret }),
  z.strictObject({ kind: z.literal('slack'), url: keptSecret }),
  z.strictObject({
    kind: z.literal('pagerduty'),
    routing_key: keptSecret,
    events_url: secret.nullable().optional(),
  }),
  z.strictObject({
    kind: z.literal('alertmanager'),
    url: keptSecret,
    bearer_token: secret.nullable().optional(),
    user_name: text.optional(),
    password: secret.nullable().optional(),
  }),
  z.strictObject({ ...emailFields, password: secret.nullable().optional() }),
]);

export const createChannelRequestSchema = z
  .strictObject({ name: settingNameSchema, configuration: configurationSchema })
  .meta({ id: 'CreateChannelRequest' });
export type CreateChannelRequest = z.output<typeof createChannelRequestSchema>;

export const putChannelRequestSchema = z
  .strictObject({
    name: settingNameSchema,
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: 'Enabling a channel forgets the failures that disabled it.' }),
    configuration: revisedConfigurationSchema.meta({
      description: 'Replaces what there is. Secrets that are left out stay; null takes one away.',
    }),
  })
  .meta({ id: 'PutChannelRequest' });
export type PutChannelRequest = z.output<typeof putChannelRequestSchema>;

const channelFacts = {
  id: idSchema,
  name: settingNameSchema,
  kind: z.enum(CHANNEL_KINDS),
  receiver: z.string().meta({ description: 'Host that it sends to, without what is secret.' }),
  configuration: z.record(z.string(), z.unknown()).meta({ description: 'Its fields that are no secrets.' }),
  status: z.enum(['active', 'disabled']),
  disabled_reason: z.string().nullable(),
  failing_since: timeSchema.nullable(),
  last_success_at: timeSchema.nullable(),
  paused_until: timeSchema.nullable().meta({ description: 'Its receiver asked to be left alone until then.' }),
  created_at: timeSchema,
};

/** A channel; none of its secrets is in here. */
export const channelSchema = z.strictObject(channelFacts).meta({ id: 'AlertChannel' });
export type ChannelResponse = z.infer<typeof channelSchema>;
export const channelPageSchema = pageOf(channelSchema).meta({ id: 'AlertChannelPage' });

export const channelWithSecretSchema = z
  .strictObject({
    ...channelFacts,
    signing_secret: z
      .string()
      .nullable()
      .meta({ description: 'What a webhook verifies messages with; shown this once. Null for other kinds.' }),
  })
  .meta({ id: 'AlertChannelWithSecret' });
export type ChannelWithSecretResponse = z.infer<typeof channelWithSecretSchema>;

export const rotateSecretRequestSchema = z
  .strictObject({ signing_secret: secret.optional().meta({ description: 'Left out: one is drawn.' }) })
  .meta({ id: 'RotateSecretRequest' });

export const testedChannelSchema = z
  .strictObject({ delivery: deliverySchema, attempt: attemptSchema })
  .meta({ id: 'TestedChannel' });
export type TestedChannelResponse = z.infer<typeof testedChannelSchema>;

export const replayRequestSchema = z
  .strictObject({ since: timeSchema.meta({ description: 'ISO 8601.' }) })
  .meta({ id: 'ReplayRequest' });
export const replayedSchema = z
  .strictObject({
    replayed: z.int().min(0).meta({ description: 'Messages that are sent again, each with the id that it had.' }),
    is_whole: z.boolean().meta({ description: 'False when there are more: ask again.' }),
  })
  .meta({ id: 'Replayed' });
export type ReplayedResponse = z.infer<typeof replayedSchema>;
