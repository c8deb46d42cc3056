import {
  createAgentRepository,
  createAuditRepository,
  createCompactionRepository,
  createEffectRepository,
  createIncidentRepository,
  createKeyRepository,
  createRecallRepository,
  createRefusalRepository,
  createSessionRepository,
  createStoreHealth,
  createTenantRepository,
  type Database,
} from '@holdfast/persistence';
import type { ApiRepositories } from '../api-dependencies';

/** The API's ports over PostgreSQL; `connectionString` is for looking at the migrations. */
export function createRepositories(database: Database, connectionString: string): ApiRepositories {
  return {
    agents: createAgentRepository(database),
    compactions: createCompactionRepository(database),
    sessions: createSessionRepository(database),
    effects: createEffectRepository(database),
    incidents: createIncidentRepository(database),
    refusals: createRefusalRepository(database),
    tenants: createTenantRepository(database),
    keys: createKeyRepository(database),
    recall: createRecallRepository(database),
    audit: createAuditRepository(database),
    health: createStoreHealth(database, connectionString),
  };
}
