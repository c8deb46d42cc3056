import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { TenantTransaction } from '../transaction';
import type { KeyProvider } from './key-provider';

/** A tenant's key for content, unwrapped. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
}

interface CachedKey extends DataKey {
  readonly expiresAt: number;
}

interface KeyRow {
  readonly version: number;
  readonly wrapped: Uint8Array<ArrayBuffer>;
  readonly wrappedBy: string;
  /** Made by the transaction that asks, and gone with it if that fails. */
  readonly uncommitted: boolean;
}

const KEY_BYTES = 32;
/** How long a process works with a key before it asks for it again. */
const CACHE_MS = 300_000;
const CACHED_KEYS = 20_000;

/** Says which data key a wrapped one is. */
export function dataKeyContext(tenantId: string, version: number): string {
  return `v1|${tenantId}|data_keys|${version}`;
}

/** Draws a tenant's next data key and makes the older ones read-only. Answers its version. */
export async function addDataKey(tx: TenantTransaction, tenantId: string, provider: KeyProvider): Promise<number> {
  const [last] = await tx.$queryRaw<{ version: number }[]>`
    select coalesce(max(version), 0)::int as version from data_keys where tenant_id = ${tenantId}::uuid`;
  const version = (last?.version ?? 0) + 1;
  const { wrapped, wrappedBy } = await provider.wrap(randomBytes(KEY_BYTES), dataKeyContext(tenantId, version));
  // Of two that draw the first key at once, the second one takes what the first one drew.
  const added = await tx.$executeRaw`
    insert into data_keys (tenant_id, version, wrapped, wrapped_by)
    values (${tenantId}::uuid, ${version}::int, ${wrapped}, ${wrappedBy}) on conflict do nothing`;
  if (added === 1) {
    await tx.$executeRaw`
      update data_keys set retired_at = clock_timestamp()
      where tenant_id = ${tenantId}::uuid and version < ${version}::int and retired_at is null`;
  }
  return version;
}

/** Deletes a tenant's keys, and with them whatever they open. Their versions stay taken: none is ever another key. */
export async function eraseDataKeys(tx: TenantTransaction, tenantId: string): Promise<number> {
  return tx.$executeRaw`
    update data_keys set wrapped = ''::bytea, wrapped_by = '', retired_at = coalesce(retired_at, clock_timestamp())
    where tenant_id = ${tenantId}::uuid and octet_length(wrapped) > 0`;
}

/** The data keys of all tenants that this process works with, kept for five minutes. */
export class DataKeys {
  private readonly cache = new Map<string, CachedKey>();

  constructor(private readonly provider: KeyProvider) {}

  /** The key for what this tenant writes now; its first one is drawn where there is none. */
  async current(tx: TenantTransaction, tenantId: string): Promise<DataKey> {
    const cached = this.cached(tenantId, 'current');
    if (cached !== undefined) return cached;
    const row = (await newestRow(tx, tenantId)) ?? (await this.firstRow(tx, tenantId));
    const key = await this.unwrap(tenantId, row);
    if (!row.uncommitted) this.remember(tenantId, 'current', key);
    return key;
  }

  /** The key of a version; undefined when it was deleted, and with it everything that it opens. */
  async find(tx: TenantTransaction, tenantId: string, version: number): Promise<DataKey | undefined> {
    const cached = this.cached(tenantId, version);
    if (cached !== undefined) return cached;
    const [row] = await tx.$queryRaw<KeyRow[]>`
      select version, wrapped, wrapped_by as "wrappedBy",
        coalesce(xmin = pg_current_xact_id_if_assigned()::xid, false) as uncommitted
      from data_keys
      where tenant_id = ${tenantId}::uuid and version = ${version}::int and octet_length(wrapped) > 0`;
    if (row === undefined) return undefined;
    const key = await this.unwrap(tenantId, row);
    if (!row.uncommitted) this.remember(tenantId, version, key);
    return key;
  }

  /** Asks again for everything of a tenant. */
  forget(tenantId: string): void {
    for (const place of this.cache.keys()) if (place.startsWith(tenantId)) this.cache.delete(place);
  }

  private async firstRow(tx: TenantTransaction, tenantId: string): Promise<KeyRow> {
    await addDataKey(tx, tenantId, this.provider);
    const row = await newestRow(tx, tenantId);
    if (row === undefined) throw new Error('a data key was drawn and is not there');
    return row;
  }

  private async unwrap(tenantId: string, row: KeyRow): Promise<DataKey> {
    const key = await this.provider.unwrap(row, dataKeyContext(tenantId, row.version));
    return { version: row.version, key: createSecretKey(key) };
  }

  private cached(tenantId: string, which: number | 'current'): DataKey | undefined {
    const place = `${tenantId} ${which}`;
    const key = this.cache.get(place);
    if (key === undefined || key.expiresAt > Date.now()) return key;
    this.cache.delete(place);
    return undefined;
  }

  private remember(tenantId: string, which: number | 'current', key: DataKey): void {
    if (this.cache.size >= CACHED_KEYS) this.cache.clear();
    this.cache.set(`${tenantId} ${which}`, { ...key, expiresAt: Date.now() + CACHE_MS });
  }
}

async function newestRow(tx: TenantTransaction, tenantId: string): Promise<KeyRow | undefined> {
  const [row] = await tx.$queryRaw<KeyRow[]>`
    select version, wrapped, wrapped_by as "wrappedBy",
      coalesce(xmin = pg_current_xact_id_if_assigned()::xid, false) as uncommitted
    from data_keys where tenant_id = ${tenantId}::uuid and retired_at is null order by version desc limit 1`;
  return row;
}

const keysOfTransactions = new WeakMap<TenantTransaction, DataKeys>();

/** Says which keys content of this transaction is written with. */
export function bindDataKeys(tx: TenantTransaction, keys: DataKeys): void {
  keysOfTransactions.set(tx, keys);
}

/** The keys of the database that a transaction belongs to; undefined where it stores content as it is. */
export function dataKeysOf(tx: TenantTransaction): DataKeys | undefined {
  return keysOfTransactions.get(tx);
}
