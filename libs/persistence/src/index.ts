export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type SystemTransaction,
  type TenantTransaction,
  type TransactionOptions,
} from './database';
export {
  applyMigrations,
  type MigrationOptions,
  type MigrationProgress,
  pendingMigrations,
} from './migrations/migrate';
export { ensureRuntimeLogin, type RuntimeLogin } from './migrations/runtime-login';
export { PersistenceError, type PersistenceErrorCode } from './persistence-error';
export { derivedId, newId } from './uuid';
