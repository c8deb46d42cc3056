import {
  createAgentRepository,
  createAuditRepository,
  createCompactionRepository,
  createDataKeyRepository,
  createDriftGroupRepository,
  createEffectRepository,
  createIncidentRepository,
  createKeyRepository,
  createOutboxRepository,
  createRecallRepository,
  createRefusalRepository,
  createSessionRepository,
  createStatsRepository,
  createStoreHealth,
  createTenantRepository,
  createToolOutcomeRepository,
  type Database,
  type KeyProvider,
} from '@holdfast/persistence';
import type { ApiRepositories } from '../api-dependencies';

/** The API's ports over PostgreSQL; `connectionString` is for looking at the migrations; without `keys` nothing is encrypted. */
export function createRepositories(
  database: Database,
  connectionString: string,
  keys: KeyProvider | undefined,
): ApiRepositories {
  return {
    agents: createAgentRepository(database),
    compactions: createCompactionRepository(database),
    sessions: createSessionRepository(database),
    effects: createEffectRepository(database),
    driftGroups: createDriftGroupRepository(database),
    outcomes: createToolOutcomeRepository(database),
    stats: createStatsRepository(database),
    incidents: createIncidentRepository(database),
    refusals: createRefusalRepository(database),
    tenants: createTenantRepository(database),
    keys: createKeyRepository(database),
    recall: createRecallRepository(database),
    audit: createAuditRepository(database),
    dataKeys: keys === undefined ? undefined : createDataKeyRepository(database, keys),
    outbox: createOutboxRepository(database),
    health: createStoreHealth(database, connectionString),
  };
}
