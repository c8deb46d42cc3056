import type { Manifest } from './window/manifest';
import type { EffectKind, EffectStatus, RecordKind, Trust } from './terms';

/**
 * The ports of the core: what it needs from the world. Any implementation first passes the conformance suites under
 * `@holdfast/core/testing`; the in-memory ones there pass them too.
 *
 * Not in these ports, on purpose: clocks, ids, transactions, tenants, retries. An implementation is made for one
 * session of one tenant and brings them itself.
 */

/** Counts tokens; the caller's event loop is never blocked. */
export interface TokenCounter {
  /** What was counted with: `o200k_base`, `upper_bound(o200k_base x1.35)`. */
  readonly name: string;
  /** False for a calibrated upper bound. */
  readonly exact: boolean;
  /** Tokens of each text, in the order given. */
  count(texts: readonly string[]): Promise<readonly number[]>;
}

/** An original to archive: content that leaves, or may leave, the window. */
export interface OriginalDraft {
  /** sha256 of `text` (see `sha256Hex`), the address in the archive. */
  readonly sha256: string;
  readonly text: string;
}

/** A way back to an original, shown in the window as `[recall h_...]`. */
export interface HandleDraft {
  /** `h_` and at least 6 characters; unique in the session for one `sha256`. */
  readonly handle: string;
  readonly sha256: string;
  readonly elementId: string;
  /** What it was, in a few words (`get_order W1234`). */
  readonly label: string;
  readonly tokens: number;
}

export interface RecordDraft {
  readonly elementId: string;
  readonly kind: RecordKind;
  /** sha256 of `content`. With session, element and kind it is the record's identity. */
  readonly digest: string;
  readonly content: string;
  readonly label: string;
  readonly trust: Trust;
  /** Digest of the record that this one replaces (same kind); that one is superseded, never edited. */
  readonly supersedes?: string;
}

export interface StoredRecord extends Omit<RecordDraft, 'supersedes'> {
  /** `R<number>`, counted per session. */
  readonly ref: string;
  readonly supersededBy: string | undefined;
  /** Its owner let it go: the store keeps it, and no window has to carry it any more. */
  readonly released?: true;
}

/**
 * An effect as a window shows it. Observed effects are keyed by occurrence (two equal calls are two effects); a later
 * pass that knows more about the same occurrence sends the same key with a newer status. An effect that was claimed is
 * ledgered under a `claim` until a window shows its call, whose id is its occurrence from then on.
 */
export interface EffectDraft {
  /** Identity of the occurrence in its session: the element id of the call. */
  readonly occurrence: string;
  readonly action: string;
  readonly target: string;
  readonly kind: EffectKind;
  /** As declared by the caller, or derived from target and arguments; absent when neither can be had. */
  readonly idempotencyKey: string | undefined;
  readonly keySource: 'declared' | 'derived' | 'none';
  /** sha256 of the canonical arguments. */
  readonly argumentsDigest: string;
  readonly status: EffectStatus;
  /** The caller's own word for the status, verbatim. */
  readonly statusRaw: string | undefined;
  /** Why the status is what it is, in words or quoted. */
  readonly evidence: string;
  /** Short typed values of the result that stay with the line (`name: value`). */
  readonly kept: readonly string[];
  /** Occurrence under which the gate ledgered it, before a window showed its call. */
  readonly claim?: string;
}

export interface StoredEffect extends EffectDraft {
  /** `E<number>`, counted per session. */
  readonly ref: string;
}

/** A summary that replaced elements: made once, never summarized again. */
export interface SegmentDraft {
  readonly id: string;
  /** Ids of the elements that it stands for, in order. */
  readonly elementIds: readonly string[];
  readonly text: string;
  readonly handle: string;
  /** Name and version of the summarizer that made it. */
  readonly summarizer: string;
  /** sha256 of everything that went in: a retry finds the segment instead of making another. */
  readonly inputDigest: string;
}

/** Everything that a pass must not lose, written in one transaction before anything leaves the window. */
export interface SecureBatch {
  readonly originals: readonly OriginalDraft[];
  readonly handles: readonly HandleDraft[];
  readonly records: readonly RecordDraft[];
  readonly effects: readonly EffectDraft[];
  /** The window as aligned: the next window of the session is aligned with it whatever becomes of this pass. */
  readonly accepted: Manifest;
  /** Number of the next new element (`e<number>`). */
  readonly nextElement: number;
  /** sha256 of the plan that asks for it; finishing a pass demands the same plan. */
  readonly planDigest: string;
}

/** Proof of a batch: digests as read back from the store, never echoed from the request. */
export interface SecureReceipt {
  readonly planDigest: string;
  /** sha256 recomputed over the stored bytes, one for each original. */
  readonly originals: readonly string[];
  readonly handles: readonly { readonly handle: string; readonly sha256: string }[];
  readonly records: readonly StoredRecord[];
  readonly effects: readonly StoredEffect[];
}

/** What the session knows before a pass. */
export interface SessionState {
  readonly sessionId: string;
  /** Passes that handed out a window so far. */
  readonly passes: number;
  /** Number of the next new element. */
  readonly nextElement: number;
  /** The last window that a pass accepted, whatever its outcome. */
  readonly accepted: Manifest | undefined;
  /** The last window that was handed out. */
  readonly handedOut: Manifest | undefined;
  /** Windows that were accepted or handed out before those, newest first, as far back as the store reads them. */
  readonly earlier: readonly Manifest[];
  /** Every element ever seen, in order of first appearance (ids and digests only). */
  readonly history: Manifest | undefined;
  /** Records in order of their number, superseded ones included. */
  readonly records: readonly StoredRecord[];
  /** Effects in order of their number. */
  readonly effects: readonly StoredEffect[];
  /** Segments made so far: which elements each stands for. */
  readonly segments: readonly Pick<SegmentDraft, 'id' | 'elementIds'>[];
  /** Hash of the newest receipt; undefined before the first. */
  readonly receiptHead: string | undefined;
}

/** Errors of a store: `STORE_CONFLICT` (same key, other content), `STORE_UNAVAILABLE` (retry helps). */
export interface SessionStore {
  load(): Promise<SessionState>;

  /**
   * Writes a batch atomically and idempotently and reads it back. What is there already stays as it is, except: an
   * effect's status moves on (never from `succeeded`, `failed` or `declined` back to an open one), and a record may be
   * superseded. Throws `STORE_CONFLICT` when a handle exists for another digest, or a text does not have its digest.
   */
  secure(batch: SecureBatch): Promise<SecureReceipt>;

  /** The receipt of a batch that was written before, read back anew; undefined when that plan was never secured. */
  findSecured(batch: SecureBatch): Promise<SecureReceipt | undefined>;

  /** The original behind a handle, digest checked; undefined when the session has no such handle. */
  findOriginal(handle: string): Promise<OriginalDraft | undefined>;

  /** sha256 of each handle's original, checked against its bytes; a handle that does not resolve is left out. */
  resolveHandles(handles: readonly string[]): Promise<ReadonlyMap<string, string>>;

  findSegment(inputDigest: string): Promise<SegmentDraft | undefined>;

  /** Keeps a segment; the same id with another text is `STORE_CONFLICT`. */
  recordSegment(segment: SegmentDraft): Promise<void>;
}

/** Shortens sealed text. `text` carries placeholders in place of critical fields; they must come back unchanged. */
export interface SummaryRequest {
  /** The elements, oldest first; `text` is sealed. */
  readonly elements: readonly { readonly id: string; readonly text: string }[];
  readonly maxTokens: number;
  /** What was wrong with the previous answer, when this is a second try. */
  readonly feedback: string | undefined;
}

export type SummaryAnswer =
  | { readonly kind: 'summary'; readonly text: string }
  /** The summarizer has nothing usable; `reason` in words. */
  | { readonly kind: 'rejected'; readonly reason: string };

export interface Summarizer {
  /** `extractive/1`, `llm/gpt-4.1-mini`. */
  readonly name: string;
  readonly deterministic: boolean;
  summarize(request: SummaryRequest): Promise<SummaryAnswer>;
}
