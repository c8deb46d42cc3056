export {
  alertActRequestSchema,
  alertPageSchema,
  alertQuerySchema,
  type AlertResponse,
  alertSchema,
  createSilenceRequestSchema,
  silencePageSchema,
  silenceQuerySchema,
  type SilenceResponse,
  silenceSchema,
} from './alert';
export {
  channelPageSchema,
  type ChannelResponse,
  channelSchema,
  type ChannelWithSecretResponse,
  channelWithSecretSchema,
  type CreateChannelRequest,
  createChannelRequestSchema,
  type PutChannelRequest,
  putChannelRequestSchema,
  type ReplayedResponse,
  replayedSchema,
  replayRequestSchema,
  rotateSecretRequestSchema,
  type TestedChannelResponse,
  testedChannelSchema,
} from './alert-channel';
export {
  type AttemptResponse,
  deliveryDetailSchema,
  type DeliveryDetailResponse,
  deliveryPageSchema,
  deliveryQuerySchema,
  type DeliveryResponse,
  deliverySchema,
} from './alert-delivery';
export {
  rulePageSchema,
  type RulePreviewRequest,
  rulePreviewRequestSchema,
  type RulePreviewResponse,
  rulePreviewSchema,
  type RuleRequest,
  ruleRequestSchema,
  type RuleResponse,
  ruleSchema,
} from './alert-rule';
export {
  ALERT_EVENT_TYPES,
  ALERT_METRICS,
  ALERT_SEVERITIES,
  ALERT_STATES,
  CHANNEL_KINDS,
  DELIVERY_ACTIONS,
  DELIVERY_STATES,
} from './alert-terms';
export { agentPageSchema, type AgentResponse, agentSchema, type PutAgentRequest, putAgentRequestSchema } from './agent';
export { auditFieldsSchema, type AuditFields, auditQuerySchema, auditReportSchema, MAX_AUDIT_BYTES } from './audit';
export {
  AUDIT_BREAKS,
  auditEntryPageSchema,
  type AuditEntryResponse,
  auditEntrySchema,
  auditExportQuerySchema,
  auditLogQuerySchema,
  type AuditVerificationResponse,
  auditVerificationSchema,
} from './audit-log';
export {
  ERASURE_SCOPES,
  erasurePageSchema,
  erasureRequestSchema,
  type ErasureResponse,
  erasureSchema,
} from './erasure';
export { dataKeyListSchema, type DataKeyResponse, dataKeySchema } from './data-key';
export {
  API_KEY_PATTERN,
  apiKeyPageSchema,
  type ApiKeyResponse,
  apiKeySchema,
  type CreatedKeyResponse,
  createdKeySchema,
  type CreateKeyRequest,
  createKeyRequestSchema,
  keyIdSchema,
  type RotateKeyRequest,
  rotateKeyRequestSchema,
  type Scope,
  SCOPES,
} from './api-key';
export {
  type CompactionResponse,
  compactionSchema,
  decisionSchema,
  MEASURED_PHASES,
  PROGRESS_EVENTS,
  receiptSchema,
  recallToolSchema,
  WINDOW_ORIGINS,
} from './compaction';
export {
  claimedEffectSchema,
  type ClaimedEffectResponse,
  claimEffectRequestSchema,
  effectAttemptPageSchema,
  type EffectAttemptResponse,
  ledgerEffectPageSchema,
  ledgerEffectQuerySchema,
  type LedgerEffectResponse,
  ledgerEffectSchema,
  MAX_RESULT_BYTES,
  reconcileEffectRequestSchema,
  settledEffectSchema,
  type SettledEffectResponse,
  settleEffectRequestSchema,
} from './effect';
export {
  COMPACTION_PARTS,
  type CompactionFields,
  compactionFieldsSchema,
  type CompactionPart,
  compactionQuerySchema,
  type CompactionRequest,
  compactionRequestSchema,
  MAX_WAIT_SECONDS,
} from './compaction-request';
export { type PackResponse, packListSchema, packSchema } from './contract-pack';
export {
  type DraftsResponse,
  draftsSchema,
  importRequestSchema,
  type LintFindings,
  lintFindingsSchema,
  lintRequestSchema,
  MOST_SUGGESTION_SESSIONS,
  type SuggestionsResponse,
  suggestionsSchema,
  suggestRequestSchema,
} from './contract-review';
export { livenessSchema, type Readiness, readinessSchema } from './health';
export { openApiDocument } from './openapi';
export { type PlanResponse, planSchema } from './plan';
export {
  type Problem,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_PLACES,
  problemSchema,
  type RequestError,
  requestErrorSchema,
} from './problem';
export { isProblemCode, PROBLEM_CODES, PROBLEM_KINDS, type ProblemCode, type ProblemKind } from './problem-codes';
export {
  MAX_RECALL_MATCHES,
  type RecalledText,
  recalledTextSchema,
  type RecallMatches,
  recallMatchesSchema,
  type RecallQuery,
  recallQuerySchema,
} from './recall';
export { recallToolDefinition } from './recall-tool';
export { noticeSchema, type RefusalResponse, refusalSchema, repairSchema } from './refusal';
export { type Route, type RouteAnswer, type RouteMethod } from './route';
export { COMMON_PROBLEMS, KEY_PROBLEMS, ROUTES } from './routes';
export {
  type PreviewResponse,
  previewSchema,
  type ResolutionRequest,
  resolutionSchema,
  type ResolvingResponse,
  resolvingSchema,
} from './refusal-resolution';
export {
  acknowledgeRequestSchema,
  assignRequestSchema,
  commentRequestSchema,
  dismissRequestSchema,
  REFUSAL_STATUSES,
  type RefusalDetailResponse,
  refusalDetailSchema,
  type RefusalGroupResponse,
  refusalGroupSchema,
  type RefusalListResponse,
  refusalListSchema,
  type RefusalMemberResponse,
  refusalMemberPageSchema,
  refusalQuerySchema,
  type RefusalStepResponse,
  refusalStepPageSchema,
} from './refusal-group';
export {
  agentIdSchema,
  DEFAULT_PAGE_LIMIT,
  handleSchema,
  idSchema,
  MAX_PAGE_LIMIT,
  pageQuerySchema,
  sessionNameSchema,
} from './scalars';
export {
  effectPageSchema,
  type EffectResponse,
  effectSchema,
  recordPageSchema,
  type RecordResponse,
  recordSchema,
  restoredSchema,
  sessionPageSchema,
  sessionQuerySchema,
  type SessionResponse,
  sessionSchema,
  windowPageSchema,
  type WindowResponse,
  windowSchema,
} from './session';
export { MAX_TOOL_CONTRACTS, toolContractSchema, toolContractsSchema } from './tool-contract';
export {
  archiveDriftGroupRequestSchema,
  commentDriftGroupRequestSchema,
  type DriftDownstreamResponse,
  driftDownstreamSchema,
  type DriftGroupDetailResponse,
  driftGroupDetailSchema,
  type DriftGroupListResponse,
  driftGroupListSchema,
  driftGroupQuerySchema,
  type DriftGroupResponse,
  driftGroupSchema,
  resolveDriftGroupRequestSchema,
} from './drift-group';
export {
  driftIncidentPageSchema,
  driftIncidentQuerySchema,
  driftIncidentSchema,
  type DriftIncidentResponse,
} from './drift-incident';
export {
  MAX_STATS_POINTS,
  STATS_BUCKETS,
  type StatsBucket,
  statsQuerySchema,
  type StatsResponse,
  statsSchema,
  statsSeriesSchema,
} from './stats';
export {
  type RecordedOutcomesResponse,
  recordedOutcomesSchema,
  toolOutcomeBatchSchema,
  toolOutcomeSchema,
  toolOutcomesRequestSchema,
} from './tool-outcome';
