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
  /** The key in whose place this one came. */
  readonly rotatedFrom: string | undefined;
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

/** What is new about a key that comes in the place of another. */
export type NewSecret = Pick<NewKey, 'keyId' | 'secretHash' | 'pepperVersion' | 'display' | 'expiresAt'>;

/** API keys of tenants. Secrets are kept as hashes only; comparing is the caller's. */
export interface KeyRepository {
  /** The usable key with this public part; the caller compares the secret, and then says that it was used. */
  findUsable(keyId: string): Promise<UsableKey | undefined>;
  /** Notes the use, at most once in five minutes. */
  recordUse(tenantId: string, keyId: string): Promise<void>;
  create(tenantId: string, key: NewKey): Promise<StoredKey>;
  /** The key with this public part, usable or not. */
  find(tenantId: string, keyId: string): Promise<StoredKey | undefined>;
  /**
   * A key with the rights of another, which stays usable for `overlapMs` and no longer than before. Undefined when there is no such
   * usable key.
   */
  rotate(tenantId: string, keyId: string, secret: NewSecret, overlapMs: number): Promise<StoredKey | undefined>;
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

    find: (tenantId, keyId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await tx.apiKey.findFirst({ where: { tenantId, keyId }, include: PREDECESSOR });
          return row === null ? undefined : storedKey(row);
        },
        reading,
      ),

    rotate: (tenantId, keyId, secret, overlapMs) =>
      database.withTenant(tenantId, async (tx) => {
        const [old] = await tx.$queryRaw<{ id: string; scopes: string[]; agentAllowList: string[] }[]>`
          update api_keys
          set expires_at = least(expires_at, clock_timestamp() + ${overlapMs}::float8 * interval '1 ms')
          where tenant_id = ${tenantId}::uuid and key_id = ${keyId} and revoked_at is null
            and (expires_at is null or expires_at > clock_timestamp())
          returning id::text, scopes, agent_allow_list as "agentAllowList"`;
        if (old === undefined) return undefined;
        const row = await tx.apiKey.create({
          data: {
            ...{ tenantId, id: newId(), keyId: secret.keyId, pepperVersion: secret.pepperVersion },
            ...{ display: secret.display, scopes: old.scopes, agentAllowList: old.agentAllowList },
            ...{ secretHash: new Uint8Array(secret.secretHash), expiresAt: secret.expiresAt ?? null },
            rotatedFrom: old.id,
          },
          include: PREDECESSOR,
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
            include: PREDECESSOR,
            take: limit + 1,
          });
          return pageOf(rows, limit, storedKey, (row) => row.keyId);
        },
        reading,
      ),
  };
}

const PREDECESSOR = { predecessor: { select: { keyId: true } } } as const;

function storedKey(row: ApiKey & { readonly predecessor?: { readonly keyId: string } | null }): StoredKey {
  return {
    keyId: row.keyId,
    display: row.display,
    scopes: row.scopes,
    agentAllowList: row.agentAllowList,
    expiresAt: row.expiresAt?.toISOString(),
    revokedAt: row.revokedAt?.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    rotatedFrom: row.predecessor?.keyId,
  };
}
