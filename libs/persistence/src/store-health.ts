import type { Database } from './database';
import { pendingMigrations } from './migrations/migrate';

/** Whether the store can serve. */
export interface StoreHealth {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Whether every migration of this build is applied. Once it is, it stays so for this process. */
  migrationsCurrent(): Promise<boolean>;
}

export function createStoreHealth(database: Database, connectionString: string): StoreHealth {
  let current = false;
  return {
    ping: () => database.ping(),
    async migrationsCurrent() {
      current ||= (await pendingMigrations(connectionString)).length === 0;
      return current;
    },
  };
}
