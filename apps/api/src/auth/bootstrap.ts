import { type Scope, SCOPES } from '@holdfast/contracts';
import type { KeyRepository, TenantRepository } from '../ports/repositories';
import { type ApiKeyParts, createApiKey, displayOf, hashSecret, parseApiKey, PEPPER_VERSION } from './api-key';

export interface BootstrapRequest {
  /** Created where no tenant has this name. */
  readonly tenantName: string;
  readonly pepper: string;
  /** A key made elsewhere, as `hf_live_...`; without it one is made. */
  readonly presetKey?: string;
  readonly environment?: 'live' | 'test';
  readonly scopes?: readonly Scope[];
}

export interface Bootstrapped {
  readonly tenantId: string;
  readonly keyId: string;
  /** The key; undefined when the preset one was there already. */
  readonly key: string | undefined;
}

/** Where tenants and keys are kept. */
export interface BootstrapStores {
  readonly tenants: TenantRepository;
  readonly keys: KeyRepository;
}

/**
 * The first tenant and its first key, for a start without an operator. Safe to repeat: the tenant is found by its name,
 * a preset key by its public part. Throws a RangeError when the preset key is none.
 */
export async function bootstrapKey(
  { tenants, keys }: BootstrapStores,
  request: BootstrapRequest,
): Promise<Bootstrapped> {
  const parts = keyParts(request);
  const tenantId = (await tenants.findByName(request.tenantName)) ?? (await tenants.create(request.tenantName));
  const known = request.presetKey === undefined ? undefined : await keys.findUsable(parts.keyId);
  if (known !== undefined) return { tenantId: known.tenantId, keyId: parts.keyId, key: undefined };
  await keys.create(tenantId, {
    keyId: parts.keyId,
    secretHash: hashSecret(parts.secret, request.pepper),
    pepperVersion: PEPPER_VERSION,
    display: displayOf(parts),
    scopes: request.scopes ?? SCOPES,
    agentAllowList: [],
    expiresAt: undefined,
  });
  return { tenantId, keyId: parts.keyId, key: parts.text };
}

function keyParts({ presetKey, environment = 'live' }: BootstrapRequest): ApiKeyParts {
  if (presetKey === undefined) return createApiKey(environment);
  const parts = parseApiKey(presetKey);
  if (parts === undefined)
    throw new RangeError('The preset API key has not the shape of one, or its checksum is wrong');
  return parts;
}
