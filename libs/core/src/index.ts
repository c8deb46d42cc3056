export {
  CompactionInvariantError,
  HoldfastError,
  InvalidWindowError,
  InvariantBrokenError,
  WINDOW_PROBLEM_CODES,
  isHoldfastError,
  type WindowProblem,
  type WindowProblemCode,
} from './errors';
export {
  DRIFT_KINDS,
  EFFECT_KINDS,
  EFFECT_STATUSES,
  ELEMENT_CLASSES,
  FORMAT_NAMES,
  MODES,
  OPERATIONS,
  OUTCOMES,
  RECALL_SETTINGS,
  RECALL_TOOL_NAME,
  RECORD_KINDS,
  REFUSAL_CODES,
  VIEWS,
  type DriftKind,
  type EffectKind,
  type EffectStatus,
  type ElementClass,
  type FormatName,
  type Mode,
  type Operation,
  type OutcomeName,
  type RecallSetting,
  type RecordKind,
  type RefusalCode,
  type Trust,
  type View,
} from './terms';

export { compact, type PassPorts } from './compact';
export { finish, type FinishPorts } from './finish';
export type { PassFacts, Outcome, ProvenWindow, Refusal, RefusedElement, Repair } from './outcome';
export type { PassRequest, PassWindow } from './pass';
export type { ElementMark, MarkFlags } from './window/element-mark';
export { prepare, type Prepared, type PreparedRefusal } from './prepare';
export { safeCompact, type SafeEffect, type SafeElement, type SafePorts } from './safe-compact';
export { resumeSecured, secure, type Secured } from './secure/secure';

export type {
  EffectDraft,
  HandleDraft,
  OriginalDraft,
  RecordDraft,
  SecureBatch,
  SecureReceipt,
  SegmentDraft,
  SessionState,
  SessionStore,
  StoredEffect,
  StoredRecord,
  Summarizer,
  SummaryAnswer,
  SummaryRequest,
  TokenCounter,
} from './ports';

export type { Attachment as WindowAttachment, Element, Message, Part, ReadWindow } from './window/element';
export type { Manifest, ManifestEntry } from './window/manifest';
export type { WindowIncident } from './window/window-incident';
export { countWindow, type WindowCount } from './window/count';
export { elementDigest } from './window/identity';
export {
  DEFAULT_READ_LIMITS,
  detectFormat,
  formatOf,
  type Insertion,
  type ReadAnswer,
  type ReadLimits,
  type WindowChanges,
  type WindowFormat,
} from './formats';
export { classifyElement, validateToolContracts, type ContractProblem } from './classify';
export {
  closestWord,
  CONTRACT_PACKS,
  contractsOfPack,
  draftContracts,
  findPack,
  LINT_CODES,
  LINT_SEVERITIES,
  lintContracts,
  observedCalls,
  proposePacks,
  readContractDocument,
  readToolDefinitions,
  suggestContracts,
  windowTools,
  type Confidence,
  type ContractDocument,
  type ContractDraft,
  type ContractFinding,
  type ContractPack,
  type ContractProposal,
  type LintCode,
  type ObservedCall,
  type PackProposal,
  type SuggestionInput,
  type ToolDefinition,
} from './contracts';
export type { Classification, Classified, Notice } from './classify/classified';
export type { ResultCondition, ToolContract, ToolContracts } from './classify/tool-contract';
export { type AgentPolicy, DEFAULT_POLICY, type Policy, policyFor, type SummarizerSetting } from './plan/policy';
export { refusalCause, refusalUrgency, type RefusalCause, type RefusalUrgency } from './plan/refusal-cause';
export { findRepairs } from './plan/repairs';
export type { Plan, PlannedElement, PlannedSegment } from './plan/plan';
export { extractiveSummarizer } from './summarize/extractive';
export { type CriticalField, type FieldKind, findCriticalFields } from './seal';
export {
  afterOccurrence,
  afterTime,
  corruptedValues,
  DRIFT_GROUP_STATES,
  escalationThreshold,
  findDrift,
  GROUPING_VERSION,
  groupIncident,
  groupTitle,
  NEWS_MS,
  QUIET_MS,
  RATE_SPAN_MS,
  valuesIn,
  type ArchivedUntil,
  type DriftConstraint,
  type DriftEffect,
  type DriftFieldKind,
  type DriftFinding,
  type DriftGroupState,
  type DriftGroupStateName,
  type DriftInput,
  type DriftMode,
  type DriftOrigin,
  type DriftPlan,
  type DriftRate,
  type DriftSource,
  type GroupableIncident,
  type IncidentGrouping,
} from './drift';
export { countTerms, elementAccount, type ElementAccount } from './receipt/element-account';
export { receiptHash, type Receipt, type ReceiptElement, type Verdict } from './receipt/receipt';
export { verifyReceipt, type ReceiptEvidence, type ReceiptFinding } from './receipt/verify-receipt';
export {
  answerClaim,
  CLAIM_ANSWERS,
  describeClaim,
  isClosedStatus,
  keptValues,
  maskOfCall,
  mergeEffect,
  type AnsweredClaim,
  type ClaimAnswer,
  type ClaimDescription,
  type ClaimedCall,
  type KnownEffect,
} from './effects';
export { resultText } from './classify/result-text';
export { recallMark, shownHandles } from './render/marks';
export { readPinnedBlock, type BlockReading } from './render/block-seal';

export {
  auditReport,
  auditTranscript,
  auditWindows,
  compactionBoundaries,
  type AuditedBoundary,
  type AuditFinding,
  type AuditInput,
  type AuditReport,
  type AuditWindow,
  type CompactionBoundary,
} from './audit';
export { createMask, findSecrets, KnownSecrets, secretsOfWindow, type Mask, type SecretSpan } from './secrets';
export { decodeText, encodeText, hmacSha256Hex, sha256Hex } from './digest';
export {
  isJsonError,
  items,
  jsonPointer,
  member,
  memberEntries,
  parseJson,
  quoteJson,
  sourceOf,
  stringValue,
  toPlain,
  type JsonLimits,
  type JsonNode,
} from './json';
export { attachmentTokens, type Attachment } from './tokens/attachment-tokens';
export { isClaudeBefore47 } from './tokens/claude-generation';
export { imageSize, imageSizeOfBase64, type ImageSize } from './tokens/image-size';
export { imageTokens, type AttachmentProvider, type ImageDetail } from './tokens/image-tokens';
export {
  MISSING_BEGINNING_TEXT,
  MISSING_RESULT_TEXT,
  TRANSCRIPT_KINDS,
  readTranscript,
  readTranscripts,
  type Transcript,
  type TranscriptAnswer,
  type TranscriptKind,
  type TranscriptRepair,
} from './transcripts';
