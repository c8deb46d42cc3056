import { z } from 'zod';
import { agentIdSchema, pageOf, timeSchema } from './scalars';

export const SCOPES = [
  'compactions:write',
  'compactions:read',
  'agents:write',
  'agents:read',
  'sessions:read',
  'sessions:write',
  'effects:write',
  'effects:read',
  'recall:read',
  'refusals:read',
  'refusals:resolve',
  'drift:read',
  'drift:triage',
  'alerts:read',
  'alerts:manage',
  'outcomes:write',
  'stats:read',
  'keys:manage',
  'audit:read',
  'data:erase',
] as const;
/** What an API key may do. */
export type Scope = (typeof SCOPES)[number];

/** Shape of an API key, for secret scanners: prefix, environment, public part, secret, checksum. */
export const API_KEY_PATTERN = /hf_(live|test)_([0-9A-Za-z]{12})([0-9A-Za-z]{32})([0-9A-Za-z]{6})/u;

export const createKeyRequestSchema = z
  .strictObject({
    environment: z.enum(['live', 'test']).default('live'),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
    agents: z
      .array(agentIdSchema)
      .max(200)
      .default([])
      .meta({ description: 'Agents that the key may act for; empty: all.' }),
    expires_in_days: z.int().min(1).max(3_650).default(365),
  })
  .meta({ id: 'CreateKeyRequest' });
export type CreateKeyRequest = z.output<typeof createKeyRequestSchema>;

export const rotateKeyRequestSchema = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(24 * 30)
      .default(24)
      .meta({ description: 'How long the old key stays valid beside the new one.' }),
    expires_in_days: z.int().min(1).max(3_650).default(365),
  })
  .meta({ id: 'RotateKeyRequest' });
export type RotateKeyRequest = z.output<typeof rotateKeyRequestSchema>;

export const keyIdSchema = z.string().regex(/^[0-9A-Za-z]{12}$/u);

const keyFacts = {
  key_id: keyIdSchema,
  display: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  agents: z.array(agentIdSchema),
  expires_at: timeSchema.nullable(),
  revoked_at: timeSchema.nullable(),
  last_used_at: timeSchema.nullable(),
  created_at: timeSchema,
  rotated_from: keyIdSchema.nullable().meta({ description: 'The key in whose place this one came.' }),
};

export const apiKeySchema = z.strictObject(keyFacts).meta({ id: 'ApiKey' });
export type ApiKeyResponse = z.infer<typeof apiKeySchema>;
export const apiKeyPageSchema = pageOf(apiKeySchema).meta({ id: 'ApiKeyPage' });

export const createdKeySchema = z
  .strictObject({ ...keyFacts, key: z.string().meta({ description: 'The key itself; shown this once.' }) })
  .meta({ id: 'CreatedKey' });
export type CreatedKeyResponse = z.infer<typeof createdKeySchema>;
