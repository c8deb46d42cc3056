import type { Database } from '../database';
import type { ApiKey } from '../generated/client';
import { type Page, pageOf, type PageRequest } from '../page';
import { newId } from '../uuid';

export interface StoredKey {
  /** The public part of the key. */
  readonly keyId: string;
  readonly display: string;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
  readonly expiresAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly lastUsedAt: string | undefined;
  readonly createdAt: string;
}

export interface NewKey {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly pepperVersion: number;
  readonly display: string;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
  readonly expiresAt: Date | undefined;
}

/** A key that may be used: neither revoked nor expired. */
export interface UsableKey {
  readonly tenantId: string;
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly pepperVersion: number;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
}

/** API keys of tenants. Secrets are kept as hashes only; comparing is the caller's. */
export interface KeyRepository {
  /** The usable key with this public part; the caller compares the secret, and then says that it was used. */
  findUsable(keyId: string): Promise<UsableKey | undefined>;
  /** Notes the use, at most once in five minutes. */
  recordUse(tenantId: string, keyId: string): Promise<void>;
  create(tenantId: string, key: NewKey): Promise<StoredKey>;
  /** False when the tenant has no such key. Revoking twice is revoking once. */
  revoke(tenantId: string, keyId: string): Promise<boolean>;
  list(tenantId: string, page: PageRequest): Promise<Page<StoredKey>>;
}

export function createKeyRepository(database: Database): KeyRepository {
  const reading = { idempotent: true };
  return {
    findUsable: (keyId) =>
      database.asSystem(async (tx) => {
        const [row] = await tx.$queryRaw<UsableKey[]>`
          select tenant_id::text as "tenantId", key_id as "keyId", secret_hash as "secretHash",
            pepper_version as "pepperVersion", scopes, agent_allow_list as "agentAllowList"
          from api_keys
          where key_id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`;
        return row;
      }, reading),

    recordUse: (tenantId, keyId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          await tx.$executeRaw`
            update api_keys set last_used_at = clock_timestamp()
            where tenant_id = ${tenantId}::uuid and key_id = ${keyId}
              and (last_used_at is null or last_used_at < clock_timestamp() - interval '5 minutes')`;
        },
        reading,
      ),

    create: (tenantId, key) =>
      database.withTenant(tenantId, async (tx) => {
        const row = await tx.apiKey.create({
          data: {
            ...{ tenantId, id: newId(), keyId: key.keyId, pepperVersion: key.pepperVersion, display: key.display },
            secretHash: new Uint8Array(key.secretHash),
            scopes: [...key.scopes],
            agentAllowList: [...key.agentAllowList],
            expiresAt: key.expiresAt ?? null,
          },
        });
        return storedKey(row);
      }),

    revoke: (tenantId, keyId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const revoked = await tx.$executeRaw`
            update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp())
            where tenant_id = ${tenantId}::uuid and key_id = ${keyId}`;
          return revoked === 1;
        },
        reading,
      ),

    list: (tenantId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const rows = await tx.apiKey.findMany({
            where: { tenantId, ...(after === undefined ? {} : { keyId: { gt: after } }) },
            orderBy: { keyId: 'asc' },
            take: limit + 1,
          });
          return pageOf(rows, limit, storedKey, (row) => row.keyId);
        },
        reading,
      ),
  };
}

function storedKey(row: ApiKey): StoredKey {
  return {
    keyId: row.keyId,
    display: row.display,
    scopes: row.scopes,
    agentAllowList: row.agentAllowList,
    expiresAt: row.expiresAt?.toISOString(),
    revokedAt: row.revokedAt?.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
