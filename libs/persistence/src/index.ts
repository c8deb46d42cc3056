export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type SystemTransaction,
  type TenantTransaction,
  type TransactionOptions,
} from './database';
export {
  createDataKeyRepository,
  type DataKeyRepository,
  type ListedDataKey,
} from './content-keys/data-key-repository';
export { createOperatorKeys, type KeyProvider, type OperatorKey } from './content-keys/key-provider';
export {
  applyMigrations,
  type MigrationOptions,
  type MigrationProgress,
  pendingMigrations,
} from './migrations/migrate';
export { ensureRuntimeLogin, type RuntimeLogin } from './migrations/runtime-login';
export { PersistenceError, type PersistenceErrorCode } from './persistence-error';
export { derivedId, newId } from './uuid';
export {
  type AgentRepository,
  type AgentSettings,
  createAgentRepository,
  type StoredAgent,
} from './agents/agent-repository';
export {
  type ChannelChange,
  type ChannelReplacement,
  type ChannelRepository,
  createChannelRepository,
} from './alerts/settings/channel-repository';
export type { SettingsActor } from './alerts/settings/settings-actor';
export type { OpenedChannel, StoredChannel } from './alerts/settings/stored-channel';
export {
  type AlertActor,
  type AlertAnswer,
  type AlertFilter,
  type AlertRepository,
  type AlertState,
  createAlertRepository,
  type StoredAlert,
} from './alerts/settings/alert-repository';
export {
  createDeliveryRepository,
  type DeliveryAction,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliveryRepository,
  type ReplayAnswer,
  type ResendAnswer,
  type StoredAttempt,
  type StoredDelivery,
} from './alerts/settings/delivery-repository';
export {
  createRulePastRepository,
  type ObservedPast,
  type RulePastRepository,
} from './alerts/settings/rule-observations';
export {
  createRuleRepository,
  type RuleChange,
  type RuleDraft,
  type RuleRepository,
} from './alerts/settings/rule-repository';
export {
  createSilenceRepository,
  type SilenceAnswer,
  type SilenceDraft,
  type SilenceRepository,
  type StoredSilence,
} from './alerts/settings/silence-repository';
export { openChannel } from './alerts/settings/open-channel';
export { type RuleNotify, type StoredAlertRule, storedRule } from './alerts/settings/rule-columns';
export { ensureStandardRules } from './alerts/settings/standard-rules';
export {
  type AuditEntry,
  type AuditFilter,
  type AuditHead,
  type AuditRepository,
  type AuditVerification,
  createAuditRepository,
  type StoredAuditEntry,
} from './audit-repository';
export type { StoredInstance, StoredRule, StoredSignal } from './alerts/engine/alert-rows';
export {
  type AlertEngineRepository,
  createAlertEngineRepository,
  type DueDelivery,
  type JudgeRule,
  type RuleNumbers,
} from './alerts/engine/alert-engine-repository';
export type { AttemptRecord, DeliveryStep, TakenDelivery } from './alerts/engine/deliver';
export type {
  DecideNotify,
  JudgedInstance,
  Message,
  NotifyContext,
  NotifyDecision,
} from './alerts/engine/notify-instance';
export type { JudgeSignals, Sighting, SignalMeaning } from './alerts/engine/take-signals';
export type { AcceptAnswer, AcceptInput } from './compactions/accept';
export type { AdoptAnswer } from './compactions/adopt';
export {
  type CompactionRepository,
  type CompactionResult,
  createCompactionRepository,
  type StoredEvent,
} from './compactions/compaction-repository';
export type { StoredCompaction } from './compactions/stored-compaction';
export type { AttemptReused } from './gate/claim-effect';
export type { ClaimInput } from './gate/claim-input';
export {
  type Claimed,
  createEffectRepository,
  type EffectFilter,
  type EffectRepository,
  type SettleAnswer,
} from './gate/effect-repository';
export type { LedgerAttempt, LedgerEffect } from './gate/ledger-rows';
export type { SettleInput } from './gate/settle-effect';
export {
  createKeyRepository,
  type KeyRepository,
  type NewKey,
  type StoredKey,
  type UsableKey,
} from './keys/key-repository';
export {
  type ClaimedDispatch,
  createOutboxRepository,
  type DueDispatches,
  type OutboxRepository,
} from './outbox/outbox-repository';
export {
  createReconcileRepository,
  type LostReason,
  type ReconcileRepository,
  type Redispatched,
} from './outbox/reconcile-repository';
export type { Dispatch, DispatchTopic } from './outbox/write-dispatch';
export type { Page, PageRequest } from './page';
export {
  createDriftGroupRepository,
  type DriftGroupChange,
  type DriftGroupHistory,
  type DriftGroupRepository,
  type StoredDriftGroup,
  type StoredDriftStep,
} from './drift/drift-group-repository';
export type { Aftermath, LaterEffect } from './drift/aftermath';
export type { SeenSession } from './drift/seen-sessions';
export type { DriftFacets, DriftGroupFilter } from './drift/group-filter';
export {
  createToolOutcomeRepository,
  type NewToolOutcome,
  type RecordedToolOutcome,
  type ToolOutcomeRepository,
} from './outcomes/tool-outcome-repository';
export { createStatsRepository, type StatsAnswer, type StatsRepository } from './stats/stats-repository';
export type { StatsRequest, StatsSeries } from './stats/stats-request';
export type { ClaimAnswer, ClaimedPass, ClaimRequest } from './passes/claim';
export type { Fence } from './passes/fence';
export type { Finished, FinishRequest } from './passes/finish';
export { createPassRepository, type FailAnswer, type PassRepository } from './passes/pass-repository';
export type { PassEnd, PhaseTimes } from './passes/pass-result';
export type { RefusalFacet, RefusalFacets, RefusalFilter } from './refusals/list-groups';
export {
  createRefusalRepository,
  type RefusalGroupDetail,
  type RefusalRepository,
} from './refusals/refusal-repository';
export { flagsOf, isMark, type MarkResolution, type Resolution, sessionOf } from './refusals/resolution';
export type { ResolveAnswer } from './refusals/resolve-group';
export { createRefusalRetrier, type RefusalRetrier } from './refusals/retry-rest';
export { mergedMarks } from './refusals/element-marks';
export type { RefusalStatus, RefusalStep, StoredRefusal, StoredRefusalGroup } from './refusals/stored-group';
export type { GroupActor, TriageAct, TriageAnswer } from './refusals/triage';
export {
  createIncidentRepository,
  type IncidentFilter,
  type IncidentRepository,
  type StoredIncident,
} from './sessions/incident-repository';
export type { ListedEffect, ListedRecord, ListedWindow, StoredSession } from './sessions/listed-rows';
export { createRecallRepository, type RecalledOriginal, type RecallRepository } from './sessions/recall-repository';
export type { RestoreAnswer } from './sessions/restore';
export { createSessionRepository, type SessionRepository } from './sessions/session-repository';
export {
  createPrismaSessionStore,
  type PassOfStore,
  type SessionStoreOptions,
} from './session-store/prisma-session-store';
export {
  createErasureRepository,
  type ErasureReport,
  type ErasureRepository,
  type ErasureRequest,
  type ErasureScope,
  type StoredErasure,
} from './erasure/erasure-repository';
export { createRetentionRepository, type Expired, type RetentionRepository } from './erasure/retention-repository';
export { createStoreHealth, type StoreHealth } from './store-health';
export { readStoreState, type StoreState, type WaitingRows } from './store-state';
export { createTenantRepository, type TenantRepository } from './tenants/tenant-repository';
export type { ConfirmedPack } from './agents/policy-column';
