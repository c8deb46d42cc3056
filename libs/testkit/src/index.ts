export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy';
export { findFreePort } from './free-port';
export { startEmbeddedPostgres, type TestPostgres } from './postgres';
export { isRedisExpected, startRedis, type TestRedis } from './redis';
export {
  createTestDatabase,
  POSTGRES_URL_VARIABLE,
  type TestDatabase,
  type TestDatabaseOptions,
} from './test-database';
export { until, type UntilOptions } from './until';
export { spawnWatched, type WatchedProcess } from './watched-process';
