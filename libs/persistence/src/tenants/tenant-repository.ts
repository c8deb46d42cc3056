import { randomBytes } from 'node:crypto';
import { ensureStandardRules } from '../alerts/settings/standard-rules';
import type { Database, TenantTransaction } from '../database';
import { storedText } from '../text';
import { newId } from '../uuid';

/** Tenants, each with a secret that seals its pinned blocks. */
export interface TenantRepository {
  /** A tenant with a seal key of its own and the standard rules of alerting; answers its id. */
  create(name: string): Promise<string>;
  findByName(name: string): Promise<string | undefined>;
  /** The secret that seals the pinned blocks of a tenant. */
  loadSealKey(tenantId: string): Promise<Uint8Array>;
}

const SEAL_KEY_BYTES = 32;

export function createTenantRepository(database: Database): TenantRepository {
  return {
    async create(name) {
      const id = newId();
      const sealKey = new Uint8Array(randomBytes(SEAL_KEY_BYTES));
      await database.withTenant(id, async (tx) => {
        await tx.tenant.create({ data: { id, name: storedText(name), sealKey } });
        await ensureStandardRules(tx, id);
      });
      return id;
    },

    findByName: (name) =>
      database.asSystem(
        async (tx) => {
          const row = await tx.tenant.findFirst({ where: { name: storedText(name) }, select: { id: true } });
          return row?.id;
        },
        { idempotent: true },
      ),

    loadSealKey: (tenantId) => database.withTenant(tenantId, (tx) => loadSealKey(tx, tenantId), { idempotent: true }),
  };
}

export async function loadSealKey(tx: TenantTransaction, tenantId: string): Promise<Uint8Array> {
  const { sealKey } = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { sealKey: true } });
  return sealKey;
}
