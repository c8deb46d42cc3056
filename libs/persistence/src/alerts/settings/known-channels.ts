import type { TenantTransaction } from '../../database';
import { DELETED_REASON } from './stored-channel';

/** Of these ids, the ones that are no channel of the tenant. */
export async function unknownChannels(
  tx: TenantTransaction,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const named = [...new Set(ids)];
  if (named.length === 0) return [];
  const rows = await tx.alertChannel.findMany({
    where: { tenantId, id: { in: named } },
    select: { id: true, disabledReason: true },
  });
  const known = new Set(rows.filter((row) => row.disabledReason !== DELETED_REASON).map(({ id }) => id));
  return named.filter((id) => !known.has(id));
}
