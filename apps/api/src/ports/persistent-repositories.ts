import {
  createAgentRepository,
  createAuditRepository,
  createCompactionRepository,
  createKeyRepository,
  createRecallRepository,
  createSessionRepository,
  createStoreHealth,
  type Database,
} from '@holdfast/persistence';
import type { ApiRepositories } from '../api-dependencies';
import type { AgentRepository } from './repositories';

/** The API's ports over PostgreSQL; `connectionString` is for looking at the migrations. */
export function createRepositories(database: Database, connectionString: string): ApiRepositories {
  const sessions = createSessionRepository(database);
  return {
    // A policy may leave open what an ambiguous element comes to; the store keeps it as it is given.
    agents: createAgentRepository(database) as AgentRepository,
    compactions: createCompactionRepository(database),
    sessions: {
      ...sessions,
      loadState: (tenantId, sessionId) => sessions.storeOf(tenantId, sessionId).load(),
      loadSealKey: (tenantId) =>
        database.withTenant(
          tenantId,
          async (tx) => (await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } })).sealKey,
          { idempotent: true },
        ),
    },
    keys: createKeyRepository(database),
    recall: createRecallRepository(database),
    audit: createAuditRepository(database),
    health: createStoreHealth(database, connectionString),
  };
}
