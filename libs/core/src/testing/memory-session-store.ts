import { sha256Hex } from '../digest';
import { HoldfastError } from '../errors';
import { mergeEffect } from '../effects';
import type {
  EffectDraft,
  HandleDraft,
  OriginalDraft,
  SecureBatch,
  SecureReceipt,
  SegmentDraft,
  SessionState,
  SessionStore,
  StoredEffect,
  StoredRecord,
} from '../ports';
import type { Receipt } from '../receipt/receipt';
import type { Manifest, ManifestEntry } from '../window/manifest';

/** What a host commits when a pass has ended; the Prisma store does the same in its finishing transaction. */
export interface PassEnd {
  /** Manifest of the window that was handed out; undefined when the caller keeps its own. */
  readonly handedOut: Manifest | undefined;
  readonly receipt: Receipt | undefined;
}

/** Windows that are remembered besides the last ones. */
const EARLIER_WINDOWS = 8;

/** One session in memory: for tests, and for using the core without servers. */
export class MemorySessionStore implements SessionStore {
  private readonly originals = new Map<string, string>();
  private readonly handles = new Map<string, HandleDraft>();
  private records: StoredRecord[] = [];
  private effects: StoredEffect[] = [];
  private readonly segments: SegmentDraft[] = [];
  private readonly securedPlans = new Set<string>();
  private accepted: Manifest | undefined;
  private handedOut: Manifest | undefined;
  private earlier: readonly Manifest[] = [];
  private readonly history: ManifestEntry[] = [];
  private nextElement = 1;
  private passes = 0;
  private receiptHead: string | undefined;

  constructor(readonly sessionId: string) {}

  load(): Promise<SessionState> {
    return Promise.resolve({
      sessionId: this.sessionId,
      passes: this.passes,
      nextElement: this.nextElement,
      accepted: this.accepted,
      handedOut: this.handedOut,
      earlier: this.earlier,
      history: { pass: 0, entries: [...this.history] },
      records: [...this.records],
      effects: [...this.effects],
      segments: this.segments.map(({ id, elementIds }) => ({ id, elementIds })),
      receiptHead: this.receiptHead,
    });
  }

  async secure(batch: SecureBatch): Promise<SecureReceipt> {
    this.checkConflicts(batch);
    for (const original of batch.originals) this.originals.set(original.sha256, original.text);
    for (const handle of batch.handles) if (!this.handles.has(handle.handle)) this.handles.set(handle.handle, handle);
    for (const draft of batch.effects) {
      const at = this.effects.findIndex(
        ({ occurrence }) => occurrence === draft.occurrence || occurrence === draft.claim,
      );
      const known = this.effects[at];
      if (known === undefined) this.effects.push({ ...draft, ref: `E${this.effects.length + 1}` });
      else {
        const { claim } = known;
        const merged = { ...mergeEffect(known, draft), occurrence: draft.occurrence, ref: known.ref };
        this.effects[at] = claim === undefined ? merged : { ...merged, claim };
      }
    }
    this.writeRecords(batch);
    this.accepted = this.follow(this.accepted, batch.accepted);
    this.nextElement = Math.max(this.nextElement, batch.nextElement);
    const seen = new Set(this.history.map(({ id, digest }) => `${id} ${digest}`));
    for (const entry of batch.accepted.entries) {
      if (entry.operation === undefined && entry.rendered === undefined && !seen.has(`${entry.id} ${entry.digest}`)) {
        this.history.push(entry);
      }
    }
    this.securedPlans.add(batch.planDigest);
    return this.receiptOf(batch);
  }

  findSecured(batch: SecureBatch): Promise<SecureReceipt | undefined> {
    return Promise.resolve(this.securedPlans.has(batch.planDigest) ? this.receiptOf(batch) : undefined);
  }

  findOriginal(handle: string): Promise<OriginalDraft | undefined> {
    const sha256 = this.handles.get(handle)?.sha256;
    const text = sha256 === undefined ? undefined : this.originals.get(sha256);
    return Promise.resolve(sha256 === undefined || text === undefined ? undefined : { sha256, text });
  }

  resolveHandles(handles: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const resolved = new Map<string, string>();
    for (const handle of handles) {
      const sha256 = this.handles.get(handle)?.sha256;
      const text = sha256 === undefined ? undefined : this.originals.get(sha256);
      if (sha256 !== undefined && text !== undefined && sha256Hex(text) === sha256) resolved.set(handle, sha256);
    }
    return Promise.resolve(resolved);
  }

  findSegment(inputDigest: string): Promise<SegmentDraft | undefined> {
    return Promise.resolve(this.segments.find((segment) => segment.inputDigest === inputDigest));
  }

  recordSegment(segment: SegmentDraft): Promise<void> {
    const known = this.segments.find(({ id }) => id === segment.id);
    if (known === undefined) this.segments.push(segment);
    else if (known.text !== segment.text) throw conflict(`segment ${segment.id} exists with another text`);
    return Promise.resolve();
  }

  /** Ends a pass: what was handed out is what the next window is aligned with. */
  finishPass(end: PassEnd): void {
    if (end.handedOut !== undefined) {
      this.handedOut = this.follow(this.handedOut, end.handedOut);
      this.passes += 1;
    }
    if (end.receipt !== undefined) this.receiptHead = end.receipt.hash;
  }

  /** Ledgers an effect as the gate does when it answers `proceed`; settling it is claiming it with another status. */
  ledgerClaim(claim: EffectDraft): void {
    const occurrence = claim.claim ?? claim.occurrence;
    const at = this.effects.findIndex((effect) => effect.claim === occurrence);
    const known = this.effects[at];
    if (known === undefined) this.effects.push({ ...claim, claim: occurrence, ref: `E${this.effects.length + 1}` });
    else this.effects[at] = { ...known, status: claim.status, evidence: claim.evidence, kept: claim.kept };
  }

  private follow(before: Manifest | undefined, manifest: Manifest): Manifest {
    // The same window secured again is no other window.
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(manifest)) return before;
    if (before !== undefined) this.earlier = [before, ...this.earlier].slice(0, EARLIER_WINDOWS);
    return manifest;
  }

  private checkConflicts(batch: SecureBatch): void {
    for (const { handle, sha256 } of batch.handles) {
      const known = this.handles.get(handle);
      if (known !== undefined && known.sha256 !== sha256)
        throw conflict(`handle ${handle} stands for another original`);
    }
    for (const { sha256, text } of batch.originals) {
      if (sha256Hex(text) !== sha256) throw conflict(`original ${sha256} does not have that digest`);
    }
  }

  private writeRecords(batch: SecureBatch): void {
    for (const { supersedes, ...draft } of batch.records) {
      const known = this.records.some(
        (record) =>
          record.elementId === draft.elementId && record.kind === draft.kind && record.digest === draft.digest,
      );
      if (known) continue;
      const ref = `R${this.records.length + 1}`;
      if (supersedes !== undefined) {
        this.records = this.records.map((record) =>
          record.kind === draft.kind && record.digest === supersedes && record.supersededBy === undefined
            ? { ...record, supersededBy: ref }
            : record,
        );
      }
      this.records.push({ ...draft, ref, supersededBy: undefined });
    }
  }

  private receiptOf(batch: SecureBatch): SecureReceipt {
    return {
      planDigest: batch.planDigest,
      originals: batch.originals.flatMap(({ sha256 }) => {
        const text = this.originals.get(sha256);
        return text === undefined ? [] : [sha256Hex(text)];
      }),
      handles: batch.handles.flatMap(({ handle }) => {
        const known = this.handles.get(handle);
        return known === undefined ? [] : [{ handle, sha256: known.sha256 }];
      }),
      records: [...this.records],
      effects: [...this.effects],
    };
  }
}

function conflict(message: string): HoldfastError {
  return new HoldfastError('STORE_CONFLICT', message, 'Nothing was written; the window that was sent is still valid.');
}
