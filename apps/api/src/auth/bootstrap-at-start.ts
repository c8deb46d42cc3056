import { setTimeout as delay } from 'node:timers/promises';
import type { ApiLog } from '../api-dependencies';
import { bootstrapKey, type BootstrapStores } from './bootstrap';

const TENANT = 'default';
const RETRY_MS = 5_000;

/** Makes the key of the environment once the database can take it; a database that comes later is waited for. */
export async function bootstrapAtStart(
  stores: BootstrapStores,
  presetKey: string,
  pepper: string,
  log: ApiLog,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { keyId, key } = await bootstrapKey(stores, { tenantName: TENANT, pepper, presetKey });
      if (key !== undefined) log.info({ key_id: keyId, tenant: TENANT }, 'The key of the environment was made');
      return;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      log.warn({ err: error }, 'The key of the environment could not be made yet');
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
