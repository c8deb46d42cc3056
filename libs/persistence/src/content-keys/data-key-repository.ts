import type { Database } from '../database';
import { addDataKey, dataKeyContext } from './data-keys';
import type { KeyProvider } from './key-provider';

export interface ListedDataKey {
  readonly version: number;
  /** Name of the operator's key that wraps it. */
  readonly wrappedBy: string;
  readonly createdAt: string;
  /** Since when nothing new is encrypted with it. */
  readonly retiredAt: string | undefined;
}

/** The data keys of tenants as their operator looks after them; no key ever leaves it. */
export interface DataKeyRepository {
  list(tenantId: string): Promise<readonly ListedDataKey[]>;
  /** Draws the next key: what comes is encrypted with it, what is there stays readable. Answers the new version. */
  rotate(tenantId: string): Promise<number>;
  /** Wraps with the newest operator key whatever another one wraps. Answers how many keys that were. */
  rewrap(tenantId: string): Promise<number>;
}

export function createDataKeyRepository(database: Database, provider: KeyProvider): DataKeyRepository {
  return {
    list: (tenantId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const rows = await tx.dataKey.findMany({ where: { tenantId }, orderBy: { version: 'desc' } });
          return rows.map(({ version, wrappedBy, createdAt, retiredAt }) => ({
            version,
            wrappedBy,
            createdAt: createdAt.toISOString(),
            retiredAt: retiredAt?.toISOString(),
          }));
        },
        { idempotent: true },
      ),

    rotate: (tenantId) => database.withTenant(tenantId, (tx) => addDataKey(tx, tenantId, provider)),

    rewrap: (tenantId) =>
      database.withTenant(tenantId, async (tx) => {
        const rows = await tx.$queryRaw<
          { version: number; wrapped: Uint8Array<ArrayBuffer>; wrappedBy: string }[]
        >`select version, wrapped, wrapped_by as "wrappedBy" from data_keys
          where tenant_id = ${tenantId}::uuid and wrapped_by not in ('', ${provider.newest}) order by version for update`;
        for (const row of rows) {
          const context = dataKeyContext(tenantId, row.version);
          const { wrapped, wrappedBy } = await provider.wrap(await provider.unwrap(row, context), context);
          await tx.$executeRaw`
            update data_keys set wrapped = ${wrapped}, wrapped_by = ${wrappedBy}
            where tenant_id = ${tenantId}::uuid and version = ${row.version}::int`;
        }
        return rows.length;
      }),
  };
}
