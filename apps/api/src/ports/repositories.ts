import type * as persistence from '@holdfast/persistence';

export type {
  AlertActor,
  AlertAnswer,
  ChannelChange,
  DeliveryDetail,
  RuleChange,
  RuleDraft,
  RuleNotify,
  SettingsActor,
  StoredAlert,
  StoredAlertRule,
  StoredAttempt,
  StoredChannel,
  StoredDelivery,
  StoredSilence,
  AgentSettings,
  Claimed,
  CompactionResult,
  ErasureScope,
  ListedDataKey,
  DriftFacets,
  DriftGroupChange,
  DriftGroupHistory,
  LedgerAttempt,
  LedgerEffect,
  ListedEffect,
  ListedRecord,
  ListedWindow,
  Page,
  PageRequest,
  RecalledOriginal,
  SettleInput,
  RefusalGroupDetail,
  RefusalStep,
  Resolution,
  StoredAgent,
  StoredAuditEntry,
  SeenSession,
  StoredCompaction,
  StoredDriftGroup,
  StoredEvent,
  StoredIncident,
  StoredErasure,
  StoredKey,
  StoredRefusal,
  StoredRefusalGroup,
  StoredSession,
  TriageAct,
  UsableKey,
} from '@holdfast/persistence';

/**
 * What the API asks of the store: of each repository of @holdfast/persistence the methods named here, which say there
 * what they do. Abstract classes, so that they are injection tokens too.
 *
 * Not in here, on purpose: leases, phases, finishing. The API never compacts.
 */

type Agents = persistence.AgentRepository;
export abstract class AgentRepository {
  abstract readonly putAgent: Agents['putAgent'];
  abstract readonly findAgent: Agents['findAgent'];
  abstract readonly listAgents: Agents['listAgents'];
}

type Compactions = persistence.CompactionRepository;
export abstract class CompactionRepository {
  abstract readonly accept: Compactions['accept'];
  abstract readonly find: Compactions['find'];
  abstract readonly findResult: Compactions['findResult'];
  abstract readonly listEvents: Compactions['listEvents'];
  abstract readonly adopt: Compactions['adopt'];
}

type Sessions = persistence.SessionRepository;
export abstract class SessionRepository {
  abstract readonly find: Sessions['find'];
  abstract readonly listSessions: Sessions['listSessions'];
  abstract readonly listRecords: Sessions['listRecords'];
  abstract readonly listEffects: Sessions['listEffects'];
  abstract readonly listWindows: Sessions['listWindows'];
  abstract readonly restore: Sessions['restore'];
  abstract readonly findWindowSource: Sessions['findWindowSource'];
  abstract readonly loadState: Sessions['loadState'];
  abstract readonly loadOwnersWord: Sessions['loadOwnersWord'];
  abstract readonly findNewestPass: Sessions['findNewestPass'];
}

type Effects = persistence.EffectRepository;
export abstract class EffectRepository {
  abstract readonly claim: Effects['claim'];
  abstract readonly settle: Effects['settle'];
  abstract readonly list: Effects['list'];
  abstract readonly find: Effects['find'];
  abstract readonly listAttempts: Effects['listAttempts'];
  abstract readonly findResult: Effects['findResult'];
}

type DriftGroups = persistence.DriftGroupRepository;
export abstract class DriftGroupRepository {
  abstract readonly list: DriftGroups['list'];
  abstract readonly facets: DriftGroups['facets'];
  abstract readonly find: DriftGroups['find'];
  abstract readonly listOccurrences: DriftGroups['listOccurrences'];
  abstract readonly listSessions: DriftGroups['listSessions'];
  abstract readonly findAftermath: DriftGroups['findAftermath'];
  abstract readonly change: DriftGroups['change'];
}

export abstract class ToolOutcomeRepository {
  abstract readonly record: persistence.ToolOutcomeRepository['record'];
}

export abstract class StatsRepository {
  abstract readonly now: persistence.StatsRepository['now'];
  abstract readonly read: persistence.StatsRepository['read'];
}

export abstract class IncidentRepository {
  abstract readonly list: persistence.IncidentRepository['list'];
  abstract readonly record: persistence.IncidentRepository['record'];
}

type Refusals = persistence.RefusalRepository;
export abstract class RefusalRepository {
  abstract readonly list: Refusals['list'];
  abstract readonly countFacets: Refusals['countFacets'];
  abstract readonly find: Refusals['find'];
  abstract readonly listMembers: Refusals['listMembers'];
  abstract readonly listSteps: Refusals['listSteps'];
  abstract readonly resolve: Refusals['resolve'];
  abstract readonly triage: Refusals['triage'];
}

type Channels = persistence.ChannelRepository;
export abstract class ChannelRepository {
  abstract readonly create: Channels['create'];
  abstract readonly list: Channels['list'];
  abstract readonly find: Channels['find'];
  abstract readonly open: Channels['open'];
  abstract readonly replace: Channels['replace'];
  abstract readonly rotateSecret: Channels['rotateSecret'];
  abstract readonly remove: Channels['remove'];
}

type Rules = persistence.RuleRepository;
export abstract class RuleRepository {
  abstract readonly create: Rules['create'];
  abstract readonly list: Rules['list'];
  abstract readonly find: Rules['find'];
  abstract readonly replace: Rules['replace'];
  abstract readonly remove: Rules['remove'];
}

export abstract class RulePastRepository {
  abstract readonly observe: persistence.RulePastRepository['observe'];
}

type Silences = persistence.SilenceRepository;
export abstract class SilenceRepository {
  abstract readonly create: Silences['create'];
  abstract readonly list: Silences['list'];
  abstract readonly find: Silences['find'];
  abstract readonly end: Silences['end'];
}

type Alerts = persistence.AlertRepository;
export abstract class AlertRepository {
  abstract readonly list: Alerts['list'];
  abstract readonly find: Alerts['find'];
  abstract readonly acknowledge: Alerts['acknowledge'];
  abstract readonly resolve: Alerts['resolve'];
}

type Deliveries = persistence.DeliveryRepository;
export abstract class DeliveryRepository {
  abstract readonly list: Deliveries['list'];
  abstract readonly find: Deliveries['find'];
  abstract readonly resend: Deliveries['resend'];
  abstract readonly replay: Deliveries['replay'];
  abstract readonly recordTest: Deliveries['recordTest'];
}

type Tenants = persistence.TenantRepository;
export abstract class TenantRepository {
  abstract readonly create: Tenants['create'];
  abstract readonly findByName: Tenants['findByName'];
  abstract readonly loadSealKey: Tenants['loadSealKey'];
}

type Keys = persistence.KeyRepository;
export abstract class KeyRepository {
  abstract readonly findUsable: Keys['findUsable'];
  abstract readonly recordUse: Keys['recordUse'];
  abstract readonly create: Keys['create'];
  abstract readonly find: Keys['find'];
  abstract readonly rotate: Keys['rotate'];
  abstract readonly revoke: Keys['revoke'];
  abstract readonly list: Keys['list'];
}

export abstract class RecallRepository {
  abstract readonly findByHandle: persistence.RecallRepository['findByHandle'];
}

type Audit = persistence.AuditRepository;
export abstract class AuditRepository {
  abstract readonly record: Audit['record'];
  abstract readonly list: Audit['list'];
  abstract readonly listFrom: Audit['listFrom'];
  abstract readonly verify: Audit['verify'];
}

type Erasures = persistence.ErasureRepository;
export abstract class ErasureRepository {
  abstract readonly findSessionAgent: Erasures['findSessionAgent'];
  abstract readonly erase: Erasures['erase'];
  abstract readonly list: Erasures['list'];
}

type DataKeys = persistence.DataKeyRepository;
export abstract class DataKeyRepository {
  abstract readonly list: DataKeys['list'];
  abstract readonly rotate: DataKeys['rotate'];
}

export abstract class StoreHealth {
  abstract readonly ping: persistence.StoreHealth['ping'];
  abstract readonly migrationsCurrent: persistence.StoreHealth['migrationsCurrent'];
}

/** What waits for the queue; of it the API asks how much that is. */
export type OutboxRepository = Pick<persistence.OutboxRepository, 'countUnfinished'>;
