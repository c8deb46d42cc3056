import { startEmbeddedPostgres, type TestPostgres } from './postgres';
import { POSTGRES_URL_VARIABLE } from './test-database';

declare global {
  var holdfastTestPostgres: TestPostgres | undefined;
}

/** Starts one PostgreSQL for the run; a server that the caller named stays the caller's. */
export default async function startServers(): Promise<void> {
  if (process.env[POSTGRES_URL_VARIABLE] !== undefined) return;
  const postgres = await startEmbeddedPostgres();
  globalThis.holdfastTestPostgres = postgres;
  process.env[POSTGRES_URL_VARIABLE] = postgres.connectionString();
}
