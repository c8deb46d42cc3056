import type { MEASURED_PHASES } from '@holdfast/contracts';
import type {
  EffectKind,
  EffectStatus,
  FormatName,
  Mode,
  OutcomeName,
  Policy,
  RecallSetting,
  RecordKind,
  Refusal,
  SessionState,
  ToolContracts,
  Trust,
} from '@holdfast/core';

/**
 * What the API needs of the store. Abstract classes, so that they are injection tokens too; the repositories of
 * @holdfast/persistence have these shapes. Every method sees the rows of one tenant and no others; ids of another
 * tenant are unknown. Times are ISO strings from the database's clock.
 *
 * Not in here, on purpose: leases, phases, finishing. The API never compacts.
 */

/** A keyset page: `next` is the position behind its last item, undefined on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly limit: number;
  /** `next` of the page before; an unknown one is answered like the end. */
  readonly after: string | undefined;
}

/** A policy as its owner gave it: what an ambiguous element comes to may depend on the format of the window. */
export type AgentPolicy = Omit<Policy, 'onAmbiguous'> & Partial<Pick<Policy, 'onAmbiguous'>>;

export interface AgentSettings {
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly policy: AgentPolicy;
  readonly toolContracts: ToolContracts;
}

export interface StoredAgent extends AgentSettings {
  readonly id: string;
  readonly policyVersion: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export abstract class AgentRepository {
  abstract putAgent(
    tenantId: string,
    id: string,
    settings: AgentSettings,
  ): Promise<{ readonly policyVersion: number; readonly created: boolean }>;
  abstract findAgent(tenantId: string, id: string): Promise<StoredAgent | undefined>;
  abstract listAgents(tenantId: string, page: PageRequest): Promise<Page<StoredAgent>>;
}

/** A request that passed validation. */
export interface AcceptInput {
  readonly agentId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly format: FormatName;
  /** Source bytes of the window (UTF-8), as they came in. */
  readonly source: Uint8Array;
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly baseVersion: number | undefined;
  readonly model: string | undefined;
  /** Name of the counter that will count: `o200k_base`. */
  readonly counter: string;
  readonly policyVersion: number;
  readonly mode: Mode;
  readonly idempotencyKey: string | undefined;
  /** sha256 of the request in canonical form, 32 bytes: the same key with another hash is `key_reused`. */
  readonly requestHash: Uint8Array;
  readonly traceparent: string | undefined;
}

export type MeasuredPhase = (typeof MEASURED_PHASES)[number];

export interface StoredNotice {
  readonly code: string;
  readonly message: string;
  readonly elementId?: string | undefined;
}

export interface StoredCompaction {
  readonly id: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly seq: number;
  readonly status: 'accepted' | 'dispatched' | 'running' | 'finished';
  readonly phase: 'accepted' | 'secured' | 'finished';
  readonly outcome: OutcomeName | undefined;
  /** Why it is unchanged, or the error of a failed pass. */
  readonly reason: string | undefined;
  readonly errorCode: string | undefined;
  readonly mode: Mode;
  readonly format: FormatName;
  readonly counter: string;
  readonly model: string | undefined;
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly targetMet: boolean | undefined;
  readonly policyVersion: number;
  readonly baseVersion: number | undefined;
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  readonly tokensPinned: number | undefined;
  readonly inputWindowId: string;
  readonly outputWindowId: string | undefined;
  readonly bestProvenWindowId: string | undefined;
  /** Version of the window that it handed out. */
  readonly version: number | undefined;
  readonly replacedPrefix: { readonly messages: number; readonly sha256: string } | undefined;
  readonly notices: readonly StoredNotice[];
  /** Milliseconds per phase; what did not run is absent. */
  readonly phaseMs: Readonly<Partial<Record<MeasuredPhase, number>>>;
  /** Dispatch number of the outbox row that accepting it wrote. */
  readonly dispatchNo: number;
  readonly attempt: number;
  readonly acceptedAt: string;
  readonly securedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly adoptedAt: string | undefined;
}

export type AcceptAnswer =
  { readonly kind: 'accepted' | 'replayed'; readonly compaction: StoredCompaction } | { readonly kind: 'key_reused' };

export interface CompactionResult {
  readonly compaction: StoredCompaction;
  /** Canonical JSON of the receipt, exactly as its hash was taken. */
  readonly receiptJson: string | undefined;
  readonly refusal: Refusal | undefined;
}

export interface StoredEvent {
  /** Counts up within a compaction. */
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type AdoptAnswer =
  | { readonly kind: 'adopted'; readonly compaction: StoredCompaction }
  /** No best proven window, or not finished yet. */
  | { readonly kind: 'nothing_to_adopt' }
  /** The session's window moved on since this pass. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'unknown' };

export abstract class CompactionRepository {
  /** One transaction: window, session, compaction, outbox row, event. */
  abstract accept(tenantId: string, input: AcceptInput): Promise<AcceptAnswer>;
  abstract find(tenantId: string, id: string): Promise<StoredCompaction | undefined>;
  abstract findResult(tenantId: string, id: string): Promise<CompactionResult | undefined>;
  /** Events behind `afterEventId` in their order; undefined: from the first. */
  abstract listEvents(tenantId: string, id: string, afterEventId: string | undefined): Promise<readonly StoredEvent[]>;
  abstract adopt(tenantId: string, id: string): Promise<AdoptAnswer>;
}

export interface StoredSession {
  readonly id: string;
  readonly agentId: string;
  readonly session: string;
  readonly version: number;
  readonly nextSeq: number;
  readonly finishedSeq: number;
  readonly passes: number;
  readonly acceptedWindowId: string | undefined;
  readonly handedOutWindowId: string | undefined;
  readonly receiptHash: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ListedRecord {
  readonly ref: string;
  readonly elementId: string;
  readonly kind: RecordKind;
  readonly digest: string;
  readonly content: string;
  readonly label: string;
  readonly trust: Trust;
  readonly supersededBy: string | undefined;
  readonly createdAt: string;
}

export interface ListedEffect {
  readonly ref: string;
  readonly occurrence: string;
  readonly action: string;
  readonly target: string;
  readonly kind: EffectKind;
  readonly idempotencyKey: string | undefined;
  readonly keySource: 'declared' | 'derived' | 'none';
  readonly argumentsDigest: string;
  readonly status: EffectStatus;
  readonly statusRaw: string | undefined;
  readonly evidence: string;
  readonly kept: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ListedWindow {
  readonly id: string;
  readonly kind: 'accepted' | 'handed_out' | 'best_proven';
  readonly version: number;
  readonly format: FormatName;
  readonly compactionId: string | undefined;
  readonly tokens: number | undefined;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}

export type RestoreAnswer =
  | { readonly kind: 'restored'; readonly session: StoredSession; readonly window: ListedWindow }
  | { readonly kind: 'unknown' };

export abstract class SessionRepository {
  abstract find(tenantId: string, agentId: string, session: string): Promise<StoredSession | undefined>;
  abstract listSessions(
    tenantId: string,
    filter: { readonly agentIds: readonly string[] | undefined },
    page: PageRequest,
  ): Promise<Page<StoredSession>>;
  abstract listRecords(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedRecord>>;
  abstract listEffects(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedEffect>>;
  abstract listWindows(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedWindow>>;
  /** Makes a window of the session the handed-out one; a new version. */
  abstract restore(tenantId: string, sessionId: string, windowId: string): Promise<RestoreAnswer>;
  /** Source bytes of a window; undefined when the session has no such window. */
  abstract findWindowSource(tenantId: string, sessionId: string, windowId: string): Promise<Uint8Array | undefined>;
  /** What the core knows of a session; read only. */
  abstract loadState(tenantId: string, sessionId: string): Promise<SessionState>;
  /** The secret that seals the blocks of a tenant. */
  abstract loadSealKey(tenantId: string): Promise<Uint8Array>;
}

export interface StoredKey {
  /** The public part of the key. */
  readonly keyId: string;
  readonly display: string;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
  readonly expiresAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly lastUsedAt: string | undefined;
  readonly createdAt: string;
}

export interface NewKey {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly pepperVersion: number;
  readonly display: string;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
  readonly expiresAt: Date | undefined;
}

/** A key that may be used: neither revoked nor expired. */
export interface UsableKey {
  readonly tenantId: string;
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly pepperVersion: number;
  readonly scopes: readonly string[];
  readonly agentAllowList: readonly string[];
}

export abstract class KeyRepository {
  /** The usable key with this public part; the caller compares the secret, and then says that it was used. */
  abstract findUsable(keyId: string): Promise<UsableKey | undefined>;
  /** Notes the use, at most once in five minutes. */
  abstract recordUse(tenantId: string, keyId: string): Promise<void>;
  abstract create(tenantId: string, key: NewKey): Promise<StoredKey>;
  /** False when the tenant has no such key. Revoking twice is revoking once. */
  abstract revoke(tenantId: string, keyId: string): Promise<boolean>;
  abstract list(tenantId: string, page: PageRequest): Promise<Page<StoredKey>>;
  abstract createTenant(name: string): Promise<string>;
  abstract findTenantByName(name: string): Promise<string | undefined>;
}

export interface RecalledOriginal {
  readonly handle: string;
  readonly sha256: string;
  /** Bytes as archived: UTF-8, three bytes for a lone surrogate. Their sha256 was checked. */
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly label: string;
  readonly elementId: string;
  readonly tokens: number;
}

export abstract class RecallRepository {
  abstract findByHandle(tenantId: string, sessionId: string, handle: string): Promise<RecalledOriginal | undefined>;
}

export abstract class AuditRepository {
  abstract record(
    tenantId: string,
    entry: {
      readonly actor: string;
      readonly action: string;
      readonly subject: string;
      readonly detail?: Readonly<Record<string, unknown>>;
    },
  ): Promise<void>;
}

/** Whether the store can serve. */
export abstract class StoreHealth {
  abstract ping(): Promise<void>;
  abstract migrationsCurrent(): Promise<boolean>;
}
